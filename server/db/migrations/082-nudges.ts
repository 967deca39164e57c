import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Nudges, at most one a week for each player (NUDGE-04). Automatic ones have no sender. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table nudges (
      player_id bigint not null references players on delete cascade,
      week date not null check (extract(isodow from week) = 1),
      sender_id bigint references players on delete set null,
      at timestamptz not null,
      primary key (player_id, week),
      check (sender_id <> player_id)
    )`.execute(db);
  await sql`create index nudges_by_sender on nudges (sender_id)`.execute(db);
  await sql`create index nudges_by_time on nudges (at)`.execute(db);
}
