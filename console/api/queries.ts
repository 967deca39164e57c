import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ConsoleTopic } from '#contract/rules/live.ts';
import { ApiError, isSignedOut } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** The events that make a query stale. */
    queryMeta: { topics?: readonly ConsoleTopic[] };
  }
}

export const ME = ['me'] as const;
/** The venue's id follows this key. */
export const TONIGHT = ['tonight'] as const;
/** The number on Tonight's ball (HAND-C7). */
export const TONIGHT_COUNT = [...TONIGHT, 'count'] as const;
/** The machine's id follows this key. */
export const MACHINE = ['machine'] as const;
/** All machines' states. */
export const MACHINES = ['machines'] as const;
export const LEAGUES = ['leagues'] as const;
export const TEAMS = ['teams'] as const;
export const CONTESTS = ['contests'] as const;
export const leagueKey = (id: string) => [...LEAGUES, id] as const;
/**
 * The key of a league's seasons, or of one season. Begins with `LEAGUES`, so that a change of a
 * league refetches the seasons.
 */
export const seasonKey = (...ids: string[]) => [...LEAGUES, 'season', ...ids] as const;
export const teamKey = (id: string) => [...TEAMS, id] as const;
export const playerKey = (id: string) => ['player', id] as const;
export const INBOX = ['inbox'] as const;
export const INBOX_CASES = [...INBOX, 'cases'] as const;
export const INBOX_DECISIONS = [...INBOX, 'decisions'] as const;
export const VENUES = ['venues'] as const;
export const ALERTS = ['alerts'] as const;

/** Calls `onSignedOut` when any call gets a 401. */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // An event makes data stale sooner. A page that opens again shows cached data at once.
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) => !(error instanceof ApiError) && failures < 1,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  for (const cache of [client.getQueryCache(), client.getMutationCache()])
    cache.subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (isSignedOut(event.action.error)) onSignedOut();
    });
  return client;
}

/**
 * Reads data, and again after an event with one of `topics`; the old data stays visible meanwhile.
 * With `enabled` false, reads nothing. With `keep`, when `key` changes, the old key's data stays
 * visible until the new key's data arrives.
 */
export function useRead<T>(
  key: readonly unknown[],
  read: () => Promise<T>,
  topics: readonly ConsoleTopic[] = [],
  enabled = true,
  keep = false,
): UseQueryResult<T> {
  return useQuery({
    queryKey: key,
    queryFn: read,
    meta: { topics },
    enabled,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Refetches the queries that `topic` makes stale, or all queries without `topic`. */
export function refresh(client: QueryClient, topic?: ConsoleTopic): void {
  void client.invalidateQueries({
    predicate: ({ meta }) => topic === undefined || (meta?.topics ?? []).includes(topic),
  });
}

/** Prepares a change. After success, refetches the queries whose keys begin with one of `stale`. */
export function useChange<I, O>(
  change: (input: I) => Promise<O>,
  {
    stale = [],
    onDone,
  }: { stale?: readonly (readonly unknown[])[]; onDone?: (done: O) => void } = {},
): UseMutationResult<O, Error, I> {
  const client = useQueryClient();
  return useMutation<O, Error, I>({
    mutationFn: change,
    onSuccess: async (done) => {
      onDone?.(done);
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
}
