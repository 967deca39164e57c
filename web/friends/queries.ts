import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FRIEND_CODE_S } from '#contract/rules/friends.ts';
import type { FriendAnswer, FriendAsked, FriendCode } from '#contract/wire/friends.ts';
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

/** Shows the code that expires at `expires_at` as ended, and forgets it. */
function endCode(client: QueryClient, expires_at: string): void {
  const code = client.getQueryData<FriendCode>(KEYS.friendCode);
  if (code?.expires_at !== expires_at) return;
  sessionStorage.removeItem(CODE_KEY);
  const ended = { ...code, expires_at: new Date(0).toISOString() };
  client.setQueryData<FriendCode>(KEYS.friendCode, ended);
}

/**
 * Who asks by the shown code, which expires at `expires_at`. null, and the code has ended, if it
 * was answered or replaced in another tab or on another device (FRIEND-02). `live`: the player's
 * live code, or null.
 */
export function askedBy(
  client: QueryClient,
  expires_at: string,
  live: FriendAsked | null,
): FriendAsked | null {
  if (live?.expires_at === expires_at) return live;
  endCode(client, expires_at);
  return null;
}

/** Who asks with the shown code; null if it has ended. Without a code it reads nothing. */
export function useAsked(code: FriendCode | undefined) {
  const { api } = useAuth();
  const client = useQueryClient();
  const expires_at = code?.expires_at ?? '';
  return useQuery({
    // An answer about an earlier code would end a new one.
    queryKey: [...KEYS.friendAsked, expires_at],
    queryFn: async ({ signal }) =>
      askedBy(client, expires_at, await getFriendAsked(api, signal).catch(noneOn404)),
    enabled: code !== undefined,
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
    onSuccess: (_, { expires_at }) => endCode(client, expires_at),
    // `all`, so that the list is new before its page opens.
    onSettled: () =>
      client.invalidateQueries({ queryKey: KEYS.friends, exact: true, refetchType: 'all' }),
    meta,
  });
  return { ask, answer };
}
