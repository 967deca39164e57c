/** Which games count for a league week (contract 4): numbers that every side needs. */

/** The first 8 league games of a week count, the best 4 of them make the total. */
export const WEEK_GAMES = 8;
export const BEST_GAMES = 4;

/** A higher score is held back until the operator has looked at it (contract 3). */
export const MAX_SCORE_DEFAULT = 9999;
