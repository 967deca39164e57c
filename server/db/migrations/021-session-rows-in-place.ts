import { type Kysely, sql } from 'kysely';

/**
 * Lets a refresh update the row of its session without touching an index. PostgreSQL does so if the
 * row's page has free space, and no index has a column that a refresh changes. So the migration
 * drops the index on the token's hash, by which no query reads, and takes the time out of the index
 * by player, because a player has few sessions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions drop constraint sessions_refresh_hash_key`.execute(db);
  await sql`drop index sessions_by_player`.execute(db);
  await sql`create index sessions_by_player on sessions (player_id)`.execute(db);
  await sql`alter table sessions set (fillfactor = 70)`.execute(db);
}
