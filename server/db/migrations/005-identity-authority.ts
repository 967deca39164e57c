import { type Kysely, sql } from 'kysely';

/**
 * Whether the provider speaks for the address of an identity that it vouched for (P29c). Of the
 * identities there are, only those of Gmail are known to be such.
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
