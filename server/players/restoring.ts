import type { Restoring } from '../db/restoring.ts';

/**
 * A restore does not change who can sign in to an account, who may see the player's name, or which
 * team the player is on (P7, P29c, P30b, P68). Accounts deleted since stay deleted (P30e).
 */
export const PLAYERS_RESTORED: Restoring[] = [
  {
    table: 'players',
    same: 'created_at',
    unique: 'email',
    restored: 'id username avatar_color jersey_number league_mode_enabled created_at',
    kept: `uuid email email_verified_at address_claimed password_hash date_of_birth
      birthdate_refused_until team_id visibility visibility_question wall_asked`,
    refers: { team_id: 'teams' },
  },
  { table: 'tombstones', rows: 'added', kept: 'digest deleted_at' },
];
