import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';
import { AppHeader } from './AppHeader.tsx';
import { LiveQueries, useProfileRead } from './LiveQueries.tsx';

/** The header with the way back, and the player as they are now: their code may have been replaced. */
function WithPlayer({ children }: { children: ReactNode }) {
  useProfileRead();
  return (
    <Page court={false}>
      <AppHeader />
      {children}
    </Page>
  );
}

/** What is around every page below the profile: the header, and a live cache. */
export function SubPage({ children }: { children: ReactNode }) {
  return (
    <LiveQueries>
      <WithPlayer>{children}</WithPlayer>
    </LiveQueries>
  );
}
