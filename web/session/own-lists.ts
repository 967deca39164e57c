import { useQuery } from '@tanstack/react-query';
import type { Duel } from '#contract/wire/duels.ts';
import { getDuelPartners, getFriends } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { untilMoment } from '../api/query-client.ts';
import { serverDate } from '../ui/server-clock.ts';
import { useAuth } from './AuthProvider.tsx';
import { useDuels } from './reads.ts';

/* The player's own lists of people, which several rooms read. */

/** Poll as well as follow events, because a phone in a pocket loses its stream. */
export const ASKED_EVERY_MS = 3_000;

/** When the week of the board of friends ends: Monday 00:00 UTC (FRIEND-08). */
function nextMonday(): string {
  const now = serverDate();
  const days = 7 - ((now.getUTCDay() + 6) % 7);
  return new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days),
  ).toISOString();
}

/** The player's friends. `waiting`: read them often, because one of them may say yes. */
export function useFriends(waiting = false) {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.friends,
    queryFn: ({ signal }) => getFriends(api, signal),
    // The server emits no event when a week ends.
    refetchInterval: waiting ? ASKED_EVERY_MS : () => untilMoment(nextMonday()),
    meta: { failure: 'The friends could not be read.', movedBy: ['friend', 'game'] },
  });
}

/** The player's open duel with `username`, offered or running. */
export function useOpenDuel(username: string | null | undefined): Duel | undefined {
  const first = useDuels().data?.pages[0];
  if (!username) return undefined;
  return [...(first?.running ?? []), ...(first?.offers ?? [])].find(
    ({ rival }) => rival.username === username,
  );
}

/** The players to whom this player may offer a duel. */
export function usePartners() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.duelPartners,
    queryFn: ({ signal }) => getDuelPartners(api, signal),
    meta: { failure: 'The players could not be read.' },
  });
}
