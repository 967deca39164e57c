export const kind = 'expand';

/**
 * Indexes each player's counted games. Without the index, a report reads all held games between two
 * counted ones, so a machine could slow all others' reports (P31g).
 */
export const indexes = {
  games_counted: "on games (player_id, played_at desc, id desc) where state = 'counted'",
};
