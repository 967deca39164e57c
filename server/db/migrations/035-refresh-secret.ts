import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Which SECRET_KEY is mixed into the key of refresh tokens, as a hash (P17): when it changes,
 * tokens of before are looked up until they have expired. null: none, as in earlier versions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refresh_keys add column secret bytea`.execute(db);
}
