import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Adds whether the provider is authoritative for an identity's address (P29c). For existing
 * identities, it is known only for Gmail addresses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identities add column authoritative boolean not null default false`.execute(
    db,
  );
  await sql`
    update identities i set authoritative = true from players p
    where p.id = i.player_id and p.email like '%@gmail.com'
      and i.issuer in ('https://accounts.google.com', 'accounts.google.com')`.execute(db);
}
