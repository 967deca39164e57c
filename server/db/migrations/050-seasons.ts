import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/**
 * Seasons (SEASON-01): each league gets season 1, which never ends automatically, and each team an
 * entry from the season's start. No game is read or written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seasons (
      id integer generated always as identity primary key,
      -- Made before any result, so that nobody can choose a lot (SEASON-15).
      uuid uuid not null default gen_random_uuid(),
      league_id integer not null references leagues on delete cascade,
      number integer not null check (number > 0),
      name text not null check (name = trim(name) and length(name) between 1 and 40),
      starts_on date not null check (extract(isodow from starts_on) = 1),
      ends text not null check (ends in ('schedule', 'open')),
      last_week date check (extract(isodow from last_week) = 1 and last_week >= starts_on),
      tie_break text not null default 'total' check (tie_break in ('total', 'head_to_head')),
      grace_hours integer not null default 72 check (grace_hours between 0 and 336),
      rosters_lock_week date check (extract(isodow from rosters_lock_week) = 1),
      -- The next season's form asked to take everybody off the teams when this one is final.
      leave_players boolean not null default false,
      -- By how many weeks postponements of the season before have moved this one (SEASON-33).
      moved_weeks integer not null default 0 check (moved_weeks >= 0),
      final_at timestamptz,
      -- When a game or ruling of a final season last changed (SEASON-25).
      touched_at timestamptz,
      unique (league_id, number)
    )`.execute(db);
  await sql`create index seasons_by_start on seasons (league_id, starts_on)`.execute(db);
  await sql`create index seasons_not_final on seasons (last_week)
    where final_at is null and last_week is not null`.execute(db);

  await sql`
    create table season_entries (
      season_id integer not null references seasons on delete cascade,
      team_id integer not null references teams on delete cascade,
      from_week date not null check (extract(isodow from from_week) = 1),
      -- The last week of a team that withdrew; null: to the season's end.
      to_week date check (extract(isodow from to_week) = 1),
      withdrew_why text check (length(withdrew_why) between 1 and 200),
      -- All matchups of the team are annulled (SEASON-35).
      annulled boolean not null default false,
      check ((to_week is null) = (withdrew_why is null)),
      check (to_week is not null or not annulled),
      primary key (season_id, team_id)
    )`.execute(db);
  await sql`create index season_entries_by_team on season_entries (team_id)`.execute(db);

  await sql`
    create table season_pauses (
      season_id integer not null references seasons on delete cascade,
      week date not null check (extract(isodow from week) = 1),
      reason text not null check (length(reason) between 1 and 200),
      at timestamptz not null,
      -- Left out when the season was made: nothing moved for it.
      by_plan boolean not null,
      primary key (season_id, week)
    )`.execute(db);

  await sql`
    create table matchup_rulings (
      team_id integer not null,
      week date not null,
      ruling text not null check (ruling in ('home', 'away', 'both_lose', 'annulled')),
      reason text not null check (length(reason) between 1 and 200),
      at timestamptz not null,
      primary key (team_id, week),
      foreign key (team_id, week) references matchup_sides (team_id, week)
        on delete cascade on update cascade
    )`.execute(db);

  await sql`
    create table season_results (
      season_id integer not null references seasons on delete cascade,
      version integer not null check (version > 0),
      at timestamptz not null,
      who text not null,
      reason text check (length(reason) between 1 and 200),
      rows jsonb not null,
      weeks jsonb not null,
      best jsonb not null,
      awards jsonb not null,
      check ((version = 1) = (reason is null)),
      primary key (season_id, version)
    )`.execute(db);
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'rows of % are append-only', tg_table_name; end $$`.execute(db);
  await sql`
    create trigger season_results_append_only before update or delete on season_results
    for each row execute function refuse_change()`.execute(db);

  // What changed, for the league's page (SEASON-37).
  await sql`
    create table season_changes (
      id integer generated always as identity primary key,
      season_id integer not null references seasons on delete cascade,
      at timestamptz not null,
      text text not null
    )`.execute(db);
  await sql`create index season_changes_by_season on season_changes (season_id, id desc)`.execute(
    db,
  );

  await sql`
    insert into seasons (league_id, number, name, starts_on, ends)
    select id, 1, 'Season 1', starts_on, 'open' from leagues`.execute(db);
  await sql`
    insert into season_entries (season_id, team_id, from_week)
    select s.id, t.id, s.starts_on from teams t join seasons s on s.league_id = t.league_id`.execute(
    db,
  );

  await sql`alter table matchup_sides add column season_id integer references seasons on delete cascade`.execute(
    db,
  );
  await sql`
    update matchup_sides m set season_id = s.id from seasons s where s.league_id = m.league_id`.execute(
    db,
  );

  // These triggers alone make a league's first season and a new team's entry, because a process of
  // the previous version inserts leagues, teams and matchups without knowing of seasons (REL-06).
  await sql`
    create function begin_seasons() returns trigger language plpgsql as $$
    begin
      -- A restore inserts the seasons of its backup.
      if current_setting('backboard.replacing', true) = 'yes' then return null; end if;
      insert into seasons (league_id, number, name, starts_on, ends)
      values (new.id, 1, 'Season 1', new.starts_on, 'open');
      return null;
    end $$`.execute(db);
  await sql`
    create trigger leagues_begin_seasons after insert on leagues
    for each row execute function begin_seasons()`.execute(db);
  // SEASON-34: a team enters from the current week, or from the season's start if it has no
  // matchups yet.
  await sql`
    create function enter_season() returns trigger language plpgsql as $$
    begin
      if current_setting('backboard.replacing', true) = 'yes' then return null; end if;
      insert into season_entries (season_id, team_id, from_week)
      select s.id, new.id, case
        when exists (select from matchup_sides m where m.season_id = s.id)
          then greatest(s.starts_on, date_trunc('week', timezone(l.timezone, new.created_at))::date)
        else s.starts_on end
      from leagues l join seasons s on s.league_id = l.id
      where l.id = new.league_id
        and (s.last_week is null or s.last_week >= date_trunc('week', timezone(l.timezone, new.created_at))::date);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger teams_enter_season after insert on teams
    for each row execute function enter_season()`.execute(db);
  await sql`
    create function side_of_season() returns trigger language plpgsql as $$
    begin
      if new.season_id is null then
        select id into new.season_id from seasons s
        where s.league_id = new.league_id and s.starts_on <= new.week
          and (s.last_week is null or s.last_week >= new.week or s.ends = 'schedule')
        order by s.starts_on desc limit 1;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger matchup_sides_season before insert on matchup_sides
    for each row execute function side_of_season()`.execute(db);
}
