import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Keeps a team's side whole when an account is deleted (P30e): its games stay, and without its
 * number in the side they would no longer count for the team.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cup_players drop constraint cup_players_player_id_fkey`.execute(db);
}
