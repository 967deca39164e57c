import { type Query, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { follow, type News } from '../api/events.ts';
import { openEvents } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { createQueryClient, retries } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { NewsContext } from '../session/news.ts';

/** Events within this time cause one refetch, because a game emits both `game` and `league`. */
const BATCH_MS = 150;

/**
 * The pages' query cache, kept fresh by an event stream: an event refetches the queries whose
 * `movedBy` names it (API-14).
 */
export function LiveQueries({ children }: { children: ReactNode }) {
  const { api } = useAuth();
  const [client] = useState(createQueryClient);
  const [hasNews, setHasNews] = useState(false);
  useEffect(() => {
    const news = new Set<News>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = follow(
      (signal) => openEvents(api, signal),
      (one) => {
        news.add(one);
        setHasNews(true);
        timer ??= setTimeout(() => {
          timer = undefined;
          const batch = [...news];
          news.clear();
          void client.invalidateQueries(
            {
              predicate: ({ meta }) =>
                batch.some((each) =>
                  each === 'gap' ? meta?.movedBy !== undefined : meta?.movedBy?.includes(each),
                ),
            },
            // When a page is shown again, its reads begin together with the stream.
            { cancelRefetch: batch.some((each) => each !== 'gap') },
          );
          setHasNews(false);
        }, BATCH_MS);
      },
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [api, client]);
  return (
    <QueryClientProvider client={client}>
      <NewsContext value={hasNews}>{children}</NewsContext>
    </QueryClientProvider>
  );
}

type ProfileReading = {
  offline: boolean;
  readAt: number;
  /** Whether this phone knew the profile before the page was loaded. */
  known: boolean;
};
const ProfileReadContext = createContext<ProfileReading>({
  offline: false,
  readAt: 0,
  known: false,
});

/** Reads the profile once for all pages below. */
export function ProfileRead({ children }: { children: ReactNode }) {
  return <ProfileReadContext value={useProfileRead()}>{children}</ProfileReadContext>;
}

/** The result of the last read of the profile (`useProfileRead`). */
export const useLastRead = () => use(ProfileReadContext);

/**
 * Reads the profile into the session. `offline` means that the last read failed; the read is
 * retried, and its success refetches the page's other queries. `readAt` is when the shown profile
 * was read, by the server's clock (ms since 1970); 0 if unknown.
 */
export function useProfileRead(): ProfileReading {
  const { user, cache, readProfile } = useAuth();
  const client = useQueryClient();
  const [known] = useState(cache.isReadBefore);
  const [retry] = useState(retries);
  const read = useQuery({
    queryKey: KEYS.profile,
    queryFn: ({ signal }) => retry.count(readProfile(signal), signal),
    initialData: () => user ?? undefined,
    // Its time is the server's, which may be ahead of this device's clock.
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state }) => state.status === 'error' && retry.waitMs(),
    meta: { failure: 'The profile could not be read.', movedBy: ['game', 'profile'] },
  });
  // The browser may be wrong about being offline. If it is right, this read fails.
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
    return () => void client.invalidateQueries(others, { cancelRefetch: false });
  }, [offline, client]);
  return { offline, readAt: cache.getReadAt(), known };
}
