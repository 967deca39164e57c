import {
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ConsoleTopic } from '#contract/console.ts';
import { ApiError, isSignedOut } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** The live events that make a query stale. */
    queryMeta: { topics?: readonly ConsoleTopic[] };
  }
}

/** The key of who is signed in. */
export const ME = ['me'] as const;
/** The keys of Tonight, followed by the venue, and of a machine, followed by its id. */
export const TONIGHT = ['tonight'] as const;
export const MACHINE = ['machine'] as const;
/** The key of the states of all machines, for the number beside Tonight. */
export const HANDS = ['hands'] as const;
export const VENUES = ['venues'] as const;
export const ALERTS = ['alerts'] as const;

/** One client for the console. A 401 of any call means that the session has ended. */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // The stream says what is stale; a page that opens again shows the last state at once.
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
 * Reads something for a screen. `topics` says which live events make it stale: it is then read
 * again while the screen shows the last state.
 */
export function useRead<T>(
  key: readonly unknown[],
  read: () => Promise<T>,
  topics: readonly ConsoleTopic[] = [],
): UseQueryResult<T> {
  return useQuery({ queryKey: key, queryFn: read, meta: { topics } });
}

/** Reads again whatever an event makes stale; without topics, everything. */
export function refresh(client: QueryClient, topic?: ConsoleTopic): void {
  void client.invalidateQueries({
    predicate: ({ meta }) => topic === undefined || (meta?.topics ?? []).includes(topic),
  });
}

/**
 * A change that a screen makes. `run` gets its input; afterwards the queries that begin with one of
 * `stale` are read again. The screen shows `error` in place, with a button that repeats the call
 * with the same `variables`.
 */
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
