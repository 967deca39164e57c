import { type Kysely, sql } from 'kysely';

/**
 * Indexes each player's counted games. Without the index, a report reads all held games between two
 * counted ones, so a machine could slow all others' reports (P31g).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_counted on games (player_id, played_at desc, id desc)
    where state = 'counted'`.execute(db);
}
