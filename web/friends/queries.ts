import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FRIEND_CODE_S } from '#contract/rules/friends.ts';
import type { FriendAnswer, FriendCode } from '#contract/wire/friends.ts';
import {
  answerFriend,
  askFriend,
  compareFriend,
  getFriendAsked,
  makeFriendCode,
  openFriend,
} from '../api/calls.ts';
import { type Client, noneOn404 } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { ASKED_EVERY_MS } from '../session/own-lists.ts';
import { serverNow } from '../ui/server-clock.ts';
import { tryToKeep } from '../ui/storage.ts';

/** Keeps the code that this tab shows across a reload. Sign Out removes it. */
const CODE_KEY = 'friend_code';

function keptCode(): FriendCode | undefined {
  const [code, expires_at] = sessionStorage.getItem(CODE_KEY)?.split(' ') ?? [];
  return code && expires_at ? { code, expires_at } : undefined;
}

async function makeAndKeep(api: Client): Promise<FriendCode> {
  const made = await makeFriendCode(api);
  tryToKeep(sessionStorage, CODE_KEY, `${made.code} ${made.expires_at}`);
  return made;
}

/**
 * The code to show. A valid code is kept, because a new one would end it and the question of a
 * player who has scanned it (FRIEND-02). `make`: make a code if there is none.
 */
export function useShownCode(make = true) {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.friendCode,
    queryFn: () => makeAndKeep(api),
    initialData: keptCode,
    enabled: make,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: FRIEND_CODE_S * 1_000,
    refetchOnMount: ({ state }) =>
      state.data !== undefined && Date.parse(state.data.expires_at) <= serverNow() && 'always',
    refetchOnReconnect: false,
    meta: { failure: 'No code was made.' },
  });
}

/** Who asks with the shown code; null if nobody does, or the code has ended. */
export function useAsked(enabled: boolean) {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.friendAsked,
    queryFn: ({ signal }) => getFriendAsked(api, signal).catch(noneOn404),
    enabled,
    gcTime: 0,
    refetchInterval: ASKED_EVERY_MS,
    meta: { failure: 'Who asks could not be read.', movedBy: ['friend'] },
  });
}

/** Whose code it is. It is read only once, because the server counts wrong codes. */
export function useOpened(code: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.friendOpened, code],
    queryFn: () => openFriend(api, code),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The code could not be opened.' },
  });
}

/** null: the player is not a friend, or no longer one. */
export function useComparison(n: string) {
  const { api } = useAuth();
  return useQuery({
    queryKey: [...KEYS.friends, n],
    queryFn: ({ signal }) => compareFriend(api, n, signal).catch(noneOn404),
    meta: { failure: 'The comparison could not be read.', movedBy: ['friend', 'game'] },
  });
}

/** The actions ask and answer. An answer reads the friends again. */
export function useFriendActions() {
  const { api } = useAuth();
  const client = useQueryClient();
  const meta = { failure: 'The friends were not changed.' };
  const ask = useMutation({ mutationFn: (code: string) => askFriend(api, code), meta });
  const answer = useMutation({
    mutationFn: (one: FriendAnswer) => answerFriend(api, one),
    // The answer has ended the code.
    onSuccess: async () => {
      await client.cancelQueries({ queryKey: KEYS.friendAsked });
      sessionStorage.removeItem(CODE_KEY);
      client.setQueryData(KEYS.friendAsked, null);
      client.setQueryData<FriendCode>(
        KEYS.friendCode,
        (code) => code && { ...code, expires_at: new Date(0).toISOString() },
      );
    },
    // `all`, so that the list is new before its page opens.
    onSettled: () =>
      client.invalidateQueries({ queryKey: KEYS.friends, exact: true, refetchType: 'all' }),
    meta,
  });
  return { ask, answer };
}
