import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Whether only OIDC_ISSUER's provider has verified an address (P29c). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table players add column address_claimed boolean not null default false`.execute(
    db,
  );
}
