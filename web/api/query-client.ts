import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { type LiveEvent, waitAfter } from '#contract/rules/live.ts';
import { serverNow } from '../ui/server-clock.ts';

// Notify in a microtask: otherwise a pressed league mode switch shows its old state for one frame.
notifyManager.setScheduler(queueMicrotask);

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      failure: string;
      movedBy?: readonly LiveEvent[];
    };
    mutationMeta: { failure: string };
  }
}

const RETRY_FIRST_MS = 10_000;
const RETRY_LONGEST_MS = 60_000;

/**
 * When a query that failed is read again: after growing waits with jitter, so that many pages do
 * not press on a busy server together.
 */
export function retries() {
  let failures = 0;
  // Chosen once for each failure, because a new interval starts the wait again.
  let waitMs = RETRY_FIRST_MS;
  return {
    /** Settles as `read` does. A read that `signal` has cancelled is no failure. */
    async count<T>(read: Promise<T>, signal: AbortSignal): Promise<T> {
      try {
        const answer = await read;
        failures = 0;
        return answer;
      } catch (error) {
        if (signal.aborted) throw error;
        failures += 1;
        waitMs = waitAfter(failures, RETRY_LONGEST_MS, RETRY_FIRST_MS);
        throw error;
      }
    },
    /** How long to wait after the last failure. */
    waitMs: () => waitMs,
  };
}

/** The shortest interval, because data about a closed week would be refetched without pause. */
const SOON_MS = 10_000;

/** Milliseconds until `at` (ISO 8601), at least `SOON_MS`; false without `at`. */
export function untilMoment(at: string | null | undefined): number | false {
  return at == null ? false : Math.max(new Date(at).getTime() - serverNow(), SOON_MS);
}

/** Waits this much longer, so that the moment has passed on the server too. */
const AFTER_MS = 300;

/**
 * Milliseconds until the next of `moments` (ISO 8601), at most `most`. `now`: the server's time in
 * an answer that came at `readAt` (ms since 1970), because this device's clock may be wrong.
 */
export function untilNext(
  moments: readonly (string | null)[],
  { now, readAt }: { now: string; readAt: number },
  most: number,
): number {
  const here = Date.parse(now) + Date.now() - readAt;
  const waits = moments
    .flatMap((moment) => (moment === null ? [] : Date.parse(moment) + AFTER_MS - here))
    .filter((wait) => wait > 0);
  return Math.min(most, ...waits);
}

function log(failure: unknown, error: unknown) {
  console.error(failure, error);
}

/** A page that is opened again within this time reads nothing (HAND-36). */
const FRESH_MS = 15_000;

/** A query cache for one player's visit, so that no data survives a sign-out. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => log(query.meta?.failure, error) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => log(mutation.meta?.failure, error),
    }),
    defaultOptions: {
      // The browser is often wrong about being offline.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: 'always',
        refetchOnWindowFocus: ({ meta }) => (meta?.movedBy ? 'always' : true),
        retry: false,
        // Data stored on an earlier visit is stale.
        staleTime: ({ state }) => (state.dataUpdateCount === 0 ? 0 : FRESH_MS),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
