import type { Duel } from '#contract/wire/duels.ts';

/** How long a decided duel is news. */
const NEWS_MS = 7 * 24 * 3_600_000;

/** The newest decided duel in which a game was played, if it is still news. */
export function newestDecided(results: readonly Duel[], now: Date): Duel | null {
  const newest = results.find(({ result }) => result !== 'none');
  if (newest === undefined) return null;
  return now.getTime() - new Date(newest.ends_at ?? 0).getTime() < NEWS_MS ? newest : null;
}
