import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Each board's places at 06:00 UTC. A board shows how far a player has moved since (HAND-96). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table board_places (
      -- all, venue:ID or league:ID
      board text not null,
      -- The Monday of the week; -infinity is all time.
      week date not null,
      day date not null,
      player_id bigint not null references players on delete cascade,
      place integer not null,
      primary key (board, week, day, player_id)
    )`.execute(db);
  await sql`create index board_places_by_player on board_places (player_id)`.execute(db);
}
