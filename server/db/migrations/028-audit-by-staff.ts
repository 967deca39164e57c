import { type Kysely, sql } from 'kysely';

/** Indexes audit lines by their author, for the list of staff. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_by_staff on audit (staff_id) where staff_id is not null`.execute(db);
}
