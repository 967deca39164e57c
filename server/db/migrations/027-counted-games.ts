import { type Kysely, sql } from 'kysely';

/**
 * Indexes each player's counted games. Without this index a report reads all held games of a player
 * between two counted ones, so a machine could slow the reports of all others (P31g).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_counted on games (player_id, played_at desc, id desc)
    where state = 'counted'`.execute(db);
}
