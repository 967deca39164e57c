import { type Kysely, sql } from 'kysely';

/** Adds whether only the provider of OIDC_ISSUER has verified an account's address (P29c). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table players add column address_claimed boolean not null default false`.execute(
    db,
  );
}
