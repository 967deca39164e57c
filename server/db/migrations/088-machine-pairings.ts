import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Machines that show a pairing code (P114). Pairing sets machine_id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table machine_pairings (
      secret_hash bytea primary key check (length(secret_hash) = 32),
      code text not null unique check (code ~ '^[A-HJKMNP-Z2-9]{6}$'),
      machine_id integer references machines on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at)
    )`.execute(db);
  await sql`create index machine_pairings_by_expiry on machine_pairings (expires_at)`.execute(db);
}
