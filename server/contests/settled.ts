import type { Loud } from '#contract/rules/contests.ts';

/** Decides when the games of an ended window are complete (FRAME-04), for contests and cups. */

export type Status = { reported_at: Date | null; queued: number | null; playing: boolean | null };

/**
 * Why contests and cups wait for a machine after `end` (FRAME-04). null once the machine has
 * reported an empty queue and no running game.
 */
export function whyLoud({ reported_at, queued, playing }: Status, end: Date): Loud | null {
  if (reported_at === null || reported_at < end || queued === null) return 'silent';
  if (queued > 0) return 'queued';
  return playing ? 'playing' : null;
}

export type Window = {
  ends_at: Date;
  graceMs: number;
  /** Held games delay the settling until this time at most. */
  heldUntil: Date;
};

/**
 * `held`: the number of held games of the window. `loud`: the number of machines that have not yet
 * reported an empty queue and no running game since the end.
 */
export type Open = { held: number; loud: number };

/** Whether all games of the window have arrived at `now`, or the wait for them is over. */
export function isSettled(
  { ends_at, graceMs, heldUntil }: Window,
  { held, loud }: Open,
  now: Date,
): boolean {
  if (now < ends_at) return false;
  if (held > 0 && now < heldUntil) return false;
  return loud === 0 || now.getTime() >= ends_at.getTime() + graceMs;
}

/**
 * Calls `settle` for one item after the other and returns how many it settled. An error does not
 * stop the rest.
 * @throws the only error, or an AggregateError, after all of them
 */
export async function settleEach(
  ids: readonly number[],
  settle: (id: number) => Promise<number>,
): Promise<number> {
  let settled = 0;
  const errors: unknown[] = [];
  for (const id of ids)
    try {
      settled += await settle(id);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0)
    throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'Several are not settled.');
  return settled;
}
