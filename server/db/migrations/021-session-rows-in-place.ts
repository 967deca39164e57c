import { type Kysely, sql } from 'kysely';

/**
 * Lets a refresh update its session within the page, without touching an index. That needs free
 * space in the page, and no index on a column that a refresh changes. No read looks for a refresh
 * token by its hash alone, and the database compares few rows to list a player's sessions by time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions drop constraint sessions_refresh_hash_key`.execute(db);
  await sql`drop index sessions_by_player`.execute(db);
  await sql`create index sessions_by_player on sessions (player_id)`.execute(db);
  await sql`alter table sessions set (fillfactor = 70)`.execute(db);
}
