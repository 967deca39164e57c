import type { Duel } from '#contract/wire/duels.ts';

/** How long a decided duel is news. */
const NEWS_MS = 7 * 24 * 3_600_000;

/** The newest decided duel, if a game was played in it and it is still news. */
export function newestDecided(results: readonly Duel[], now: Date): Duel | null {
  const [newest] = results;
  if (newest === undefined || newest.result === 'none') return null;
  return now.getTime() - new Date(newest.ends_at ?? 0).getTime() < NEWS_MS ? newest : null;
}
