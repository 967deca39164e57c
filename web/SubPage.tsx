import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AppHeader } from './AppHeader.tsx';
import { createQueryClient } from './api/query-client.ts';
import { Page } from './ui/Page.tsx';

/** What is around every page below the profile: the header with the way back, and a cache. */
export function SubPage({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Page court={false}>
        <AppHeader />
        {children}
      </Page>
    </QueryClientProvider>
  );
}
