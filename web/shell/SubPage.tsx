import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';
import { AppHeader } from './AppHeader.tsx';
import { LiveQueries, useProfileRead } from './LiveQueries.tsx';

/** Reads the profile, because another device may have replaced the player's code. */
function WithPlayer({ children }: { children: ReactNode }) {
  useProfileRead();
  return (
    <Page court={false}>
      <AppHeader />
      {children}
    </Page>
  );
}

export function SubPage({ children }: { children: ReactNode }) {
  return (
    <LiveQueries>
      <WithPlayer>{children}</WithPlayer>
    </LiveQueries>
  );
}
