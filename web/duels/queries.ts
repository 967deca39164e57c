import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  acceptDuel,
  blockRival,
  declineDuel,
  getBlocked,
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
    onSettled,
    meta,
  });
  return { offer, answer, turnOn };
}

/** Blocks a rival, and undoes the newest block in the player's list. */
export function useBlock() {
  const { api } = useAuth();
  const client = useQueryClient();
  const meta = { failure: 'The block was not changed.' };
  const block = useMutation({
    mutationFn: async (id: string) => {
      await blockRival(api, id);
      const { results } = await getBlocked(api, new AbortController().signal);
      return results[0]?.n ?? null;
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
