import { READS, WRITES } from '../rate-limits.ts';

/** A bucket without calls for this long is full and can be pruned. */
const FULL_AFTER_MS = 1000 * Math.max(READS.burst / READS.rate, WRITES.burst / WRITES.rate);

type Bucket = { left: number; at: number };

/**
 * This process's token buckets (P39a). The returned function counts a call of `key`, which may call
 * at `times` times the rate; with `peek` it only looks. It returns 0, or the whole seconds to wait.
 * `now` is in ms and never decreases.
 */
export function sessionBuckets(
  now: () => number = () => performance.now(),
): (key: string, writes: boolean, times?: number, peek?: boolean) => number {
  const buckets = new Map<string, Bucket>();
  let prunedAt = now();

  function prune(time: number): void {
    for (const [key, { at }] of buckets) if (at < time - FULL_AFTER_MS) buckets.delete(key);
    prunedAt = time;
  }

  return (of, writes, times = 1, peek = false) => {
    const [rate, burst] = writes
      ? [times * WRITES.rate, times * WRITES.burst]
      : [times * READS.rate, times * READS.burst];
    const key = writes ? `w ${of}` : of;
    const time = now();
    // Prune seldom, because pruning is O(n).
    if (time - prunedAt > FULL_AFTER_MS) prune(time);
    const { left, at } = buckets.get(key) ?? { left: burst, at: time };
    const filled = Math.min(burst, left + ((time - at) / 1000) * rate);
    if (!peek) buckets.set(key, { left: filled >= 1 ? filled - 1 : filled, at: time });
    return filled >= 1 ? 0 : Math.max(1, Math.ceil((1 - filled) / rate));
  };
}
