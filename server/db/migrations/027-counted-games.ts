export const kind = 'expand';

/**
 * Indexes each player's counted games. Without it, a report reads all held games between two
 * counted ones, so one machine could slow the reports of all others (P31g).
 */
export const indexes = {
  games_counted: "on games (player_id, played_at desc, id desc) where state = 'counted'",
};
