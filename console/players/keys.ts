export const PLAYERS = ['players'] as const;
/** How many games a player's page lists at first, and adds at each press of “Show older”. */
export const GAMES_STEP = 20;
export const GAMES_MOST = 200;
/** The server counts at most this many games. */
export const GAMES_COUNTED = 1_000;
