export const PLAYERS = ['players'] as const;
/**
 * How many games the page of a player lists at first, and how many more at each press of the
 * button.
 */
export const GAMES_STEP = 20;
/** The most games that the page lists. */
export const GAMES_MOST = 200;
/** The server counts at most this many games. */
export const GAMES_COUNTED = 1_000;
