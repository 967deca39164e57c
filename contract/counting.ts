/** How many league games of a player count in a week (LEAGUE-03). */
export const WEEK_GAMES = 8;
/** How many of these games, the best ones, make the player's total. */
export const BEST_GAMES = 4;

/** A game with a higher score is held (GAME-07). */
export const MAX_SCORE_DEFAULT = 9999;

/** The assumed length of a game without `duration_s`. */
export const SHORTEST_GAME_S = 30;
/** A player's games beyond this number in an hour are held (P31f). */
export const HOUR_GAMES_MAX = 3600 / SHORTEST_GAME_S;
