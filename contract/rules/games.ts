/** Abbreviates a score ≥ 0: 999, 1k, 1.2k, 12k. Rounds half up (GAME-05). */
export function abbreviate(score: number): string {
  if (score < 1000) return String(score);
  // Use integers: as a float, 1.15 is a little too small and would round down to 1.1.
  const tenths = Math.floor((score + 50) / 100);
  return tenths % 10 === 0 ? `${tenths / 10}k` : `${Math.floor(tenths / 10)}.${tenths % 10}k`;
}

/** A score or a sum in full: 999, 1,204, 27,276 (GAME-05). */
export const inFull = (points: number): string => points.toLocaleString('en');

/** `sum / count`, rounded half up to one decimal; 0 when `count` is 0 (GAME-04). */
export function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.floor((sum * 20 + count) / (count * 2)) / 10;
}

/** 1st, 2nd, 3rd, 4th … */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ends = tens > 10 && tens < 14 ? 0 : place % 10;
  return `${place}${['th', 'st', 'nd', 'rd'][ends] ?? 'th'}`;
}

/** How many league games of a player count in a week (LEAGUE-03). */
export const WEEK_GAMES = 8;

/** How many of these games, the best ones, make the player's total. */
export const BEST_GAMES = 4;

/** A game with a higher score is held (GAME-07). */
export const MAX_SCORE_DEFAULT = 9999;

/** A game is late if it was received more than this time after it was played (HAND-17). */
export const LATE_MS = 30 * 60_000;

/** The assumed length of a game without `duration_s`. */
export const SHORTEST_GAME_S = 30;

/** A player's games beyond this number in an hour are held (P31f). */
export const HOUR_GAMES_MAX = 3600 / SHORTEST_GAME_S;

/*
 * Texts about a game that staff decide on. Players read them after the decision (PROD-50, PROD-98).
 */

export const TAKEN_OUT = 'Taken out after review';
export const TAKEN_OUT_NOT_MINE = 'Taken out: not your game';
export const LOOKED_AT = 'Checked: it counts.';

/** The longest text of a report, in UTF-16 units, as a text field counts (GAME-11). */
export const REPORT_TEXT_MAX = 300;

/** How many games a page has: enough for the chart. */
export const GAMES_PAGE = 40;

/** Figures cover this many of the newest counted games (HAND-80). */
export const FIGURES_GAMES = 500;

/** The most held games, or reports, in a list; its `total` counts all. */
export const HELD_LIST_MAX = 200;

/** The most games in a list. */
export const GAMES_LIST_MAX = 200;

/** A list's `total` of games stops here, so that a list costs the same after a million games. */
export const GAMES_COUNT_MAX = 1_000;
