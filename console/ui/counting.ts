import { BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';

/** Explains “6 of 8” and “Bench” (LEAGUE-03). */
export const COUNTING = `A player’s first ${WEEK_GAMES} league games of a week count. The best ${BEST_GAMES} make the total; the others are on the bench.`;
