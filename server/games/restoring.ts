import type { Restoring } from '../db/restoring.ts';

/** A restore brings back games, reports, decisions, and what derives from games. */
export const GAMES_RESTORED: Restoring[] = [
  {
    table: 'games',
    restored: `machine_id id seq venue_id player_id score played_at day received_at duration_s
      shots_made shots_attempted state held_reason digest team_id week outside beat landed_at`,
  },
  {
    table: 'game_reports',
    restored: 'id machine_id game_id player_id reason text reported_at state settled_at',
  },
  { table: 'game_decisions', restored: 'id machine_id game_id at staff_id who decision' },
  { table: 'player_stats', restored: 'player_id games_played highscore score_sum' },
  { table: 'bests', restored: 'venue_id week player_id score' },
  { table: 'best_counts', restored: 'venue_id week score players' },
  // Not restored, because its rows are valid for a day only.
  { table: 'board_places', rows: 'emptied' },
  {
    table: 'league_weeks',
    restored: 'team_id week player_id games_played score_sum total fourth_best best best_sum',
  },
  { table: 'team_weeks', restored: 'team_id week total best' },
  { table: 'player_achievements', restored: 'player_id key unlocked_at machine_id game_id' },
];
