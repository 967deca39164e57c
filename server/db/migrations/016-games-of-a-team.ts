export const kind = 'expand';

/**
 * Indexes games by team and machine. To learn whether a league is played at a venue, a query then
 * reads one entry for each team and machine, not all their games.
 */
export const indexes = {
  games_by_team: 'on games (team_id, machine_id, received_at) where team_id is not null',
};
