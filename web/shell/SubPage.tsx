import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';
import { AppHeader } from './AppHeader.tsx';
import { LiveQueries, useProfileRead } from './LiveQueries.tsx';

/** The header with the link back. Reads the profile: another device may have replaced the code. */
function WithPlayer({ children }: { children: ReactNode }) {
  useProfileRead();
  return (
    <Page court={false}>
      <AppHeader />
      {children}
    </Page>
  );
}

/** Surrounds every page below the profile: header and live query cache. */
export function SubPage({ children }: { children: ReactNode }) {
  return (
    <LiveQueries>
      <WithPlayer>{children}</WithPlayer>
    </LiveQueries>
  );
}
