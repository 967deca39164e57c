import type { ReactNode } from 'react';
import { AppHeader } from './AppHeader.tsx';
import { LiveQueries } from './LiveQueries.tsx';
import { Page } from './ui/Page.tsx';

/** What is around every page below the profile: the header with the way back, and a live cache. */
export function SubPage({ children }: { children: ReactNode }) {
  return (
    <LiveQueries>
      <Page court={false}>
        <AppHeader />
        {children}
      </Page>
    </LiveQueries>
  );
}
