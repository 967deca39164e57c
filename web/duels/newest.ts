import type { Duel } from '#contract/wire/duels.ts';

/** A decided duel is news for so long. */
const NEWS_MS = 7 * 24 * 3_600_000;

/** The decided duel to tell of: the newest, if somebody played and it is news. */
export function newestDecided(results: readonly Duel[], now: Date): Duel | null {
  const [newest] = results;
  if (newest === undefined || newest.result === 'none') return null;
  return now.getTime() - new Date(newest.ends_at ?? 0).getTime() < NEWS_MS ? newest : null;
}
