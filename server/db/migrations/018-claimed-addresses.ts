import { type Kysely, sql } from 'kysely';

/** Marks accounts whose address only the other provider has verified (P29c). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table players add column address_claimed boolean not null default false`.execute(
    db,
  );
}
