import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** The time zone of a venue's days, weeks and opening hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table venues
      -- timezone() raises for a zone that PostgreSQL does not know.
      add column timezone text not null default 'UTC'
        check (timezone(timezone, timestamptz '2020-01-01') is not null)`.execute(db);
}
