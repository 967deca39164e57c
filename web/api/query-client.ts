import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/live.ts';

// Notify in a microtask. By default the league mode switch jumps back for a frame when pressed.
notifyManager.setScheduler(queueMicrotask);

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      failure: string;
      /** The live events that make the query stale. */
      movedBy?: readonly LiveEvent[];
    };
    mutationMeta: { failure: string };
  }
}

export const RETRY_EVERY_MS = 10_000;
/** The shortest interval, used when the time has passed but the server has no change yet. */
const SOON_MS = 10_000;

/** For `refetchInterval`: milliseconds until a time in ISO 8601, at least `SOON_MS`; or false. */
export function untilMoment(at: string | undefined): number | false {
  return at === undefined ? false : Math.max(new Date(at).getTime() - Date.now(), SOON_MS);
}

/** Failed reads are only logged (PROD-69). */
function log(failure: unknown, error: unknown) {
  console.error(failure, error);
}

/** A cache for one visit to a page. Each visit has its own, so nothing survives a sign-out. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => log(query.meta?.failure, error) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => log(mutation.meta?.failure, error),
    }),
    defaultOptions: {
      // Sent even when the browser believes it is offline: browsers are often wrong about that.
      queries: { networkMode: 'always', refetchOnReconnect: true, retry: false },
      mutations: { networkMode: 'always' },
    },
  });
}
