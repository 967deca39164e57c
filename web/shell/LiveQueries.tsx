import { type Query, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { openEvents } from '../api/calls.ts';
import { follow, type News } from '../api/events.ts';
import { KEYS } from '../api/queries.ts';
import { createQueryClient, RETRY_EVERY_MS } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';

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
      (signal) => openEvents(api, signal),
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

/**
 * Reads the profile; the session stores it and ends itself on a refusal. `offline`: the last read
 * got no answer or a 5xx, and it is tried again by itself; when that succeeds, everything else on
 * the page is asked for again, too. `readAt`: when the profile that is shown was read, in
 * milliseconds; 0 when that is not known.
 */
export function useProfileRead(): { offline: boolean; readAt: number } {
  const { user, remembered, readProfile } = useAuth();
  const client = useQueryClient();
  const read = useQuery({
    queryKey: KEYS.profile,
    queryFn: ({ signal }) => readProfile(signal),
    initialData: () => user ?? undefined,
    initialDataUpdatedAt: remembered.getReadAt,
    refetchInterval: ({ state }) => state.status === 'error' && RETRY_EVERY_MS,
    meta: { failure: 'The profile could not be read.', movedBy: ['game', 'profile'] },
  });
  // What the browser knows at once: the read fails, and says so.
  useEffect(() => {
    const check = () => void client.invalidateQueries({ queryKey: KEYS.profile });
    window.addEventListener('offline', check);
    return () => window.removeEventListener('offline', check);
  }, [client]);
  const offline = read.isError;
  useEffect(() => {
    if (!offline) return;
    const others = {
      predicate: ({ queryKey, meta, state }: Query) =>
        queryKey[0] !== KEYS.profile[0] &&
        (meta?.movedBy !== undefined || state.status === 'error'),
    };
    return () => void client.invalidateQueries(others);
  }, [offline, client]);
  return { offline, readAt: read.dataUpdatedAt };
}
