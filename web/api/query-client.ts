import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/live.ts';

// At once instead of a tick later: the switch must not jump back for a frame when it is pressed.
notifyManager.setScheduler(queueMicrotask);

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What is logged when it cannot be read. */
      failure: string;
      /** The events of the stream after which it is stale; without it, none. */
      movedBy?: readonly LiveEvent[];
    };
    mutationMeta: { failure: string };
  }
}

/** How often a failed read is retried while its page is open, in milliseconds. */
export const RETRY_EVERY_MS = 10_000;
/** How soon something is asked for again when its moment has come and nothing has changed yet. */
const SOON_MS = 10_000;

/** For `refetchInterval`: the milliseconds until a moment in ISO 8601; false without one. */
export function untilMoment(at: string | undefined): number | false {
  return at === undefined ? false : Math.max(new Date(at).getTime() - Date.now(), SOON_MS);
}

/** Failures are only logged (spec 8); what failed is said by the `failure` of each call. */
function log(failure: unknown, error: unknown) {
  console.error(failure, error);
}

/** The cache of one visit to a page. A new one for each, so nothing outlives a sign-out. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => log(query.meta?.failure, error) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => log(mutation.meta?.failure, error),
    }),
    defaultOptions: {
      // Asked even when the browser believes it is offline: the answer is what tells.
      queries: { networkMode: 'always', refetchOnReconnect: true, retry: false },
      mutations: { networkMode: 'always' },
    },
  });
}
