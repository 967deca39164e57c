import { type Kysely, sql } from 'kysely';

export const kind = 'contract';

/**
 * Lets a refresh update its session's row without touching an index (decision 107): with free space
 * in the page, and no index on a changed column. The index on the token's hash was unused.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions drop constraint sessions_refresh_hash_key`.execute(db);
  await sql`drop index sessions_by_player`.execute(db);
  await sql`create index sessions_by_player on sessions (player_id)`.execute(db);
  await sql`alter table sessions set (fillfactor = 70)`.execute(db);
}
