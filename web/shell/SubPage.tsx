import type { ReactNode } from 'react';
import { Page } from '../ui/Page.tsx';
import { AppHeader } from './AppHeader.tsx';

/** A page with the header that all rooms share. */
export function SubPage({ children }: { children: ReactNode }) {
  return (
    <Page court={false}>
      <AppHeader />
      {children}
    </Page>
  );
}
