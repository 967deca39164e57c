/** P39a: the calls of one session, in calls a second and in a burst. */
const READS = { rate: 20, burst: 200 };
const WRITES = { rate: 2, burst: 60 };
/** A bucket this old is full again, so it can be forgotten. */
const FULL_AFTER_MS = 1000 * Math.max(READS.burst / READS.rate, WRITES.burst / WRITES.rate);

type Bucket = { left: number; at: number };

/**
 * Token buckets of sessions, in the memory of this process (P39a). The returned function spends one
 * call of a session and gives the whole seconds to wait: 0 when the call is within its rate. `now` is
 * in milliseconds and never goes back.
 */
export function sessionBuckets(
  now: () => number = () => performance.now(),
): (session: string, writes: boolean) => number {
  const buckets = new Map<string, Bucket>();
  let prunedAt = now();

  function prune(time: number): void {
    for (const [key, { at }] of buckets) if (at < time - FULL_AFTER_MS) buckets.delete(key);
    prunedAt = time;
  }

  return (session, writes) => {
    const { rate, burst } = writes ? WRITES : READS;
    const key = writes ? `w ${session}` : session;
    const time = now();
    // In bulk: a walk through all of them on every call would add up.
    if (time - prunedAt > FULL_AFTER_MS) prune(time);
    const { left, at } = buckets.get(key) ?? { left: burst, at: time };
    const filled = Math.min(burst, left + ((time - at) / 1000) * rate);
    buckets.set(key, { left: Math.max(0, filled - 1), at: time });
    return filled >= 1 ? 0 : Math.max(1, Math.ceil((1 - filled) / rate));
  };
}
