import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Adds the start and the weekly hours of a notice, and notices of single screens (HAND-C14). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table venues
      add column notice_from timestamptz,
      add column notice_weekly text`.execute(db);
  await sql`
    alter table screens
      add column notice text check (length(notice) between 1 and 200),
      add column notice_from timestamptz,
      add column notice_until timestamptz,
      add column notice_weekly text`.execute(db);
}
