import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leagues (
      id integer generated always as identity primary key,
      name text not null check (name = trim(name) and length(name) between 1 and 60),
      -- timezone() raises for a zone that PostgreSQL does not know.
      timezone text not null check (timezone(timezone, timestamptz '2020-01-01') is not null),
      starts_on date not null check (extract(isodow from starts_on) = 1),
      created_at timestamptz not null
    )`.execute(db);
  await sql`create unique index leagues_name on leagues (lower(name))`.execute(db);

  await sql`
    create table teams (
      id integer generated always as identity primary key,
      league_id integer not null references leagues on delete cascade,
      name text not null check (name = trim(name) and length(name) between 1 and 40),
      created_at timestamptz not null,
      unique (id, league_id)
    )`.execute(db);
  await sql`create unique index teams_name on teams (league_id, lower(name))`.execute(db);

  // A matchup is two mirrored rows. The deferred foreign key requires both, the primary key
  // prevents a second opponent; a null opponent is a bye.
  await sql`
    create table matchup_sides (
      league_id integer not null,
      team_id integer not null,
      week date not null check (extract(isodow from week) = 1),
      opponent_id integer check (opponent_id <> team_id),
      home boolean not null,
      primary key (team_id, week),
      unique (team_id, week, opponent_id),
      foreign key (team_id, league_id) references teams (id, league_id) on delete cascade,
      foreign key (opponent_id, league_id) references teams (id, league_id) on delete cascade,
      foreign key (opponent_id, week, team_id)
        references matchup_sides (team_id, week, opponent_id) deferrable initially deferred
    )`.execute(db);
  await sql`create index matchup_sides_by_league on matchup_sides (league_id, week)`.execute(db);

  await sql`alter table players add column team_id integer references teams on delete set null`.execute(
    db,
  );
  await sql`create index players_by_team on players (team_id) where team_id is not null`.execute(
    db,
  );

  // A game, even a late one, counts for the team in the player's last row before it was played.
  await sql`
    create table team_changes (
      player_id bigint not null references players on delete cascade,
      at timestamptz not null,
      team_id integer references teams on delete cascade,
      primary key (player_id, at)
    )`.execute(db);
  await sql`
    create table league_mode_changes (
      player_id bigint not null references players on delete cascade,
      at timestamptz not null,
      enabled boolean not null,
      primary key (player_id, at)
    )`.execute(db);
}
