import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { serverNow } from '../../web/ui/server-clock.ts';
import { useServerTime } from '../../web/ui/server-time.ts';

/** Added to each wait, so that the state has changed when the server is read. */
const AFTER_MS = 300;
/** At most a day, because a browser's timer fails above 24 days. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * Calls `readAgain` at `read.until`, when a state changes without an event (decision 084). Computes
 * the wait from the server's time, because this device's clock may be wrong, and the answer may be
 * older than the page.
 */
export function useUntil(
  read: { server_time: string; until: string | null } | undefined,
  readAgain: () => void,
): void {
  const now = read?.server_time;
  const until = read?.until ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new readAgain must not restart the timer
  useEffect(() => {
    if (now === undefined || until === null) return;
    const wait = Date.parse(until) - serverNow() + AFTER_MS;
    const timer = setTimeout(readAgain, Math.min(LONGEST_MS, Math.max(AFTER_MS, wait)));
    return () => clearTimeout(timer);
  }, [now, until]);
}

/**
 * Reads again at the first of `moments` that is still to come, such as the begin or end of a contest,
 * which sends no event.
 */
export function useTurns(
  read: UseQueryResult<{ now: string }>,
  moments: readonly (string | null)[],
): void {
  const now = read.data?.now ?? '';
  // ISO times in UTC sort as text.
  const until = moments.filter((at) => at !== null && at > now).sort()[0] ?? null;
  useUntil({ server_time: now, until }, () => void read.refetch());
}

/** The server's time, updated every 30 s, for texts such as “for 24 min”. */
export function useMinutes(): Date {
  return new Date(useServerTime(30_000));
}
