import { useQuery } from '@tanstack/react-query';
import { getRunning } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { untilNext } from '../api/query-client.ts';
import { useAuth } from './AuthProvider.tsx';

/** Polls, because the place changes with other players' games, and the time left with the clock. */
const REFRESH_MS = 60_000;

/** The cup and the contest that run where the player plays, and a season that is over. */
export function useRunning() {
  const { api } = useAuth();
  const { data } = useQuery({
    queryKey: KEYS.running,
    queryFn: ({ signal }) => getRunning(api, signal),
    refetchInterval: ({ state: { data, dataUpdatedAt: readAt } }) => {
      const waits = [data?.cup, data?.contest].map((one) =>
        one
          ? untilNext([one.starts_at, one.ends_at], { now: one.now, readAt }, REFRESH_MS)
          : REFRESH_MS,
      );
      return Math.min(...waits);
    },
    meta: {
      failure: 'The contest could not be read.',
      movedBy: ['game', 'contest', 'cup', 'league'],
    },
  });
  return data ?? { contest: null, cup: null, season: null };
}
