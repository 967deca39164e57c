import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { follow, type News } from './api/events.ts';
import { createQueryClient } from './api/query-client.ts';
import { useAuth } from './session/AuthProvider.tsx';

/** What is told within this time is read together: a game tells of the player and of the league. */
const TOGETHER_MS = 150;

/**
 * The cache of one visit to a page for players, kept true by the event stream: an event reads anew
 * those queries whose `movedBy` names it (contract 2). One stream, for as long as the page is shown.
 */
export function LiveQueries({ children }: { children: ReactNode }) {
  const { api } = useAuth();
  const [client] = useState(createQueryClient);
  useEffect(() => {
    const news = new Set<News>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = follow(
      (signal) => api.open('/api/users/profile/events/', signal),
      (one) => {
        news.add(one);
        timer ??= setTimeout(() => {
          timer = undefined;
          const told = [...news];
          news.clear();
          void client.invalidateQueries({
            predicate: ({ meta }) =>
              told.some((each) =>
                each === 'gap' ? meta?.movedBy !== undefined : meta?.movedBy?.includes(each),
              ),
          });
        }, TOGETHER_MS);
      },
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [api, client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
