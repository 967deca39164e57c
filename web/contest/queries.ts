import { useQuery } from '@tanstack/react-query';
import { getContest } from '../api/calls.ts';
import { noneOn404 } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { untilNext } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** Polls, because other players' games move the board without an event for this player. */
const REFRESH_MS = 15_000;

/** A contest's page (CONTEST-10); null when no contest has the code. */
export function useContest(code: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.contest, code],
    queryFn: ({ signal }) =>
      getContest(api, code, signal)
        .then((page) => ({ page, skew: Date.parse(page.now) - Date.now() }))
        .catch(noneOn404),
    refetchInterval: ({ state: { data, dataUpdatedAt: readAt } }) => {
      if (!data) return REFRESH_MS;
      const { state, starts_at, ends_at, now } = data.page;
      if (state === 'final' || state === 'cancelled') return false;
      return untilNext([starts_at, ends_at], { now, readAt }, REFRESH_MS);
    },
    meta: { failure: 'The contest could not be read.', movedBy: ['game', 'profile', 'contest'] },
  });
}
