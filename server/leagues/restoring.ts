import type { Restoring } from '../db/restoring.ts';

/**
 * A restore leaves as they are: who may join a league, and until when nobody may, its venue, and its
 * teams' codes. Otherwise a closed league would open again (P68).
 */
export const LEAGUES_RESTORED: Restoring[] = [
  {
    table: 'leagues',
    same: 'created_at',
    restored: 'id name timezone starts_on created_at',
    kept: 'joining venue_id',
    refers: { venue_id: 'venues' },
  },
  {
    table: 'teams',
    same: 'created_at',
    restored: 'id league_id name created_at',
    kept: 'join_code',
  },
  {
    table: 'seasons',
    same: 'uuid',
    restored: `id uuid league_id number name starts_on ends last_week tie_break grace_hours
      leave_players moved_weeks final_at touched_at touched_by summed_to`,
    kept: 'rosters_lock_week',
  },
  {
    table: 'season_entries',
    restored: 'season_id team_id from_week to_week withdrew_why annulled',
  },
  { table: 'season_pauses', restored: 'season_id week reason at by_plan' },
  {
    table: 'season_results',
    restored: 'season_id version at who reason rows weeks best awards',
  },
  { table: 'season_changes', restored: 'id season_id at text' },
];

/** A player stays off a team that they left or were taken off: team mates see each other (P68). */
export const ROSTERS_RESTORED: Restoring[] = [
  {
    table: 'matchup_sides',
    restored: 'league_id team_id week opponent_id home season_id',
  },
  { table: 'matchup_rulings', restored: 'team_id week ruling reason at' },
  {
    table: 'team_changes',
    rows: { of: 'player_id' },
    kept: 'player_id at team_id how mail_waits confirmed_at',
    refers: { player_id: 'players', team_id: 'teams' },
  },
  { table: 'league_mode_changes', restored: 'player_id at enabled' },
  {
    table: 'join_requests',
    rows: { of: 'player_id' },
    kept: 'player_id team_id asked_at',
    refers: { player_id: 'players', team_id: 'teams' },
  },
  // Emptied, because its rows are valid for a day only.
  { table: 'league_decisions', rows: 'emptied' },
];
