import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Join codes of teams, requests to join, reports of games. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table leagues add column joining text not null default 'closed'
      check (joining in ('closed', 'ask', 'open'))`.execute(db);
  // Null until somebody asks for it (LEAGUE-13).
  await sql`
    alter table teams add column join_code text unique
      check (join_code ~ '^[ABCDEFGHJKMNPQRSTUVWXYZ2-9]{6}$')`.execute(db);

  await sql`
    create table join_requests (
      player_id bigint primary key references players on delete cascade,
      team_id integer not null references teams on delete cascade,
      asked_at timestamptz not null
    )`.execute(db);
  await sql`create index join_requests_by_team on join_requests (team_id, asked_at)`.execute(db);

  await sql`
    create table game_reports (
      id bigint generated always as identity primary key,
      machine_id integer not null,
      game_id uuid not null,
      player_id bigint not null references players on delete cascade,
      reason text not null check (reason in ('not_mine', 'machine', 'other')),
      text text check (length(text) between 1 and 300),
      reported_at timestamptz not null,
      state text not null default 'open' check (state in ('open', 'void', 'stands')),
      settled_at timestamptz,
      check ((state = 'open') = (settled_at is null)),
      foreign key (machine_id, game_id) references games (machine_id, id)
    )`.execute(db);
  await sql`create index game_reports_by_game on game_reports (machine_id, game_id, id)`.execute(
    db,
  );
  await sql`create index game_reports_by_player on game_reports (player_id)`.execute(db);
  // At most one open report for a game (GAME-11).
  await sql`create unique index game_reports_open on game_reports (machine_id, game_id)
    where state = 'open'`.execute(db);
}
