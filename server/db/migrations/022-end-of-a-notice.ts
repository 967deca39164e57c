import { type Kysely, sql } from 'kysely';

/** Lets the notice of a venue expire. Existing notices do not expire. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table venues add column notice_until timestamptz`.execute(db);
}
