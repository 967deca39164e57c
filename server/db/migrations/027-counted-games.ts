import { type Kysely, sql } from 'kysely';

/**
 * Each player's counted games. Without it, a report reads all held games between two counted ones:
 * a machine could slow all others' reports (P31g).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index games_counted on games (player_id, played_at desc, id desc)
    where state = 'counted'`.execute(db);
}
