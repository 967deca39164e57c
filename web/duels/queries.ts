import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Duel } from '#contract/wire/duels.ts';
import {
  acceptDuel,
  blockRival,
  declineDuel,
  getBlocked,
  getFriends,
  offerDuel,
  patchPush,
  takeBackDuel,
  unblock,
} from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** Each action reads the duels again. */
export function useDuelActions() {
  const { api } = useAuth();
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: KEYS.duels });
  const meta = { failure: 'The duels were not changed.' };
  const offer = useMutation({
    mutationFn: (username: string) => offerDuel(api, username),
    onSettled,
    meta,
  });
  const answer = useMutation({
    mutationFn: async ({ id, how }: { id: string; how: 'accept' | 'decline' | 'takeBack' }) => {
      if (how === 'accept') await acceptDuel(api, id);
      else await (how === 'decline' ? declineDuel : takeBackDuel)(api, id);
    },
    onSettled,
    meta,
  });
  const turnOn = useMutation({
    mutationFn: () => patchPush(api, { kinds: { duel: true } }),
    onSettled: () => Promise.all([onSettled(), client.invalidateQueries({ queryKey: KEYS.push })]),
    meta,
  });
  return { offer, answer, turnOn };
}

/**
 * Blocks a rival, and undoes the newest block in the player's list. A friend is not blocked but
 * returned, because a block ends the friendship, which undoing it does not bring back (FRIEND-10).
 */
export function useBlock() {
  const { api } = useAuth();
  const client = useQueryClient();
  const meta = { failure: 'The block was not changed.' };
  const block = useMutation({
    mutationFn: async ({ id, rival }: Pick<Duel, 'id' | 'rival'>) => {
      const friends = await client.fetchQuery({
        queryKey: KEYS.friends,
        queryFn: ({ signal }) => getFriends(api, signal),
        meta,
      });
      const friend = friends.results.find(({ username }) => username === rival.username);
      if (friend) return { friend: friend.n, blocked: null };
      await blockRival(api, id);
      const { results } = await getBlocked(api, new AbortController().signal);
      return { friend: null, blocked: results[0]?.n ?? null };
    },
    meta,
  });
  const undo = useMutation({
    mutationFn: (n: string) => unblock(api, n),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.blocked }),
    meta,
  });
  return { block, undo };
}
