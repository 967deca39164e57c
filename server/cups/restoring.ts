import type { Restoring } from '../db/restoring.ts';

export const CUPS_RESTORED: Restoring[] = [
  {
    table: 'cups',
    restored: `id uuid venue_id league_id season_id kind name best of per_player third windows
      follows followed_at created_at began_at final_at winner_seed`,
  },
  { table: 'cup_sides', restored: 'cup_id seed team_id player_id name withdrew_at' },
  { table: 'cup_players', restored: 'cup_id player_id seed from_round to_round' },
  {
    table: 'cup_pairings',
    restored: 'cup_id round slot starts_at ends_at quiet_machines left_result',
  },
  {
    table: 'cup_results',
    restored: `cup_id round slot version at who reason winner_seed how sides starts_at
      ends_at`,
  },
];
