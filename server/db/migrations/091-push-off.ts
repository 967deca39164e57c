import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Browsers whose player has turned notifications off (PUSH-33). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_off (
      player_id bigint not null references players on delete cascade,
      endpoint_hash bytea not null check (length(endpoint_hash) = 32),
      at timestamptz not null,
      primary key (player_id, endpoint_hash)
    )`.execute(db);
}
