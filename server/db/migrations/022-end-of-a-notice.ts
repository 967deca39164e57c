import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** A venue's notice can expire. Existing notices do not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table venues add column notice_until timestamptz`.execute(db);
}
