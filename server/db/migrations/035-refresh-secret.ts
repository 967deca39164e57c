import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * A hash of the SECRET_KEY that is mixed into the key of refresh tokens (P17). When it changes,
 * older tokens are looked up until they have expired. null: no SECRET_KEY, as in earlier versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refresh_keys add column secret bytea`.execute(db);
}
