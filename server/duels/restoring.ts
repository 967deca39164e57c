import type { Restoring } from '../db/restoring.ts';

/**
 * A restore leaves each duel as it is: a declined offer does not come back, and no result is
 * announced twice (P76).
 */
export const DUELS_RESTORED: Restoring[] = [
  {
    table: 'duels',
    rows: { of: 'offerer_id' },
    kept: `id offerer_id rival_id state offered_at accept_until accepted_at ends_at changed_at told
      turned_told overtaken_told final_at best_offerer best_rival`,
    refers: { offerer_id: 'players', rival_id: 'players' },
  },
  {
    table: 'duel_tallies',
    rows: { of: 'player_id' },
    kept: 'player_id won lost level',
    refers: { player_id: 'players' },
  },
];
