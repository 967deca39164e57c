import { type Kysely, sql } from 'kysely';

/** Gives the notice of a venue an optional end. Notices that exist keep having none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table venues add column notice_until timestamptz`.execute(db);
}
