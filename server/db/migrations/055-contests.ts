import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Contests (CONTEST-01): new tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table contests (
      id integer generated always as identity primary key,
      code text not null unique check (length(code) = 6),
      venue_id integer not null references venues,
      name text not null check (name = trim(name) and length(name) between 1 and 40),
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      scoring text not null check (scoring in ('best', 'best3', 'first_n')),
      n integer not null check (n between 1 and 20),
      prizes text check (length(prizes) between 1 and 200),
      -- null: all machines of the venue
      machines integer[] check (cardinality(machines) > 0),
      -- While it runs, screens show nothing else (CONTEST-09).
      only_slide boolean not null default false,
      cancelled_at timestamptz,
      final_at timestamptz,
      -- Machines that have reported since the end that nothing waits and nobody plays (FRAME-04).
      quiet_machines integer[] not null default '{}',
      -- The new count that staff have chosen to leave out (CONTEST-06).
      left_rows jsonb,
      check (ends_at > starts_at)
    )`.execute(db);
  await sql`create index contests_by_venue on contests (venue_id, ends_at)`.execute(db);
  await sql`create index contests_by_end on contests (ends_at)`.execute(db);
  await sql`create index contests_unsettled on contests (ends_at)
    where final_at is null and cancelled_at is null`.execute(db);
  await sql`
    create function new_contest_code() returns text language plpgsql volatile as $$
    declare made text;
    begin
      loop
        made := new_join_code();
        exit when not exists (select from contests where code = made);
      end loop;
      return made;
    end $$`.execute(db);
  await sql`alter table contests alter code set default new_contest_code()`.execute(db);

  await sql`
    create table contest_results (
      contest_id integer not null references contests on delete cascade,
      version integer not null check (version > 0),
      at timestamptz not null,
      who text not null,
      reason text check (length(reason) between 1 and 200),
      -- Numbers of accounts, never names (FRAME-06).
      rows jsonb not null,
      check ((version = 1) = (reason is null)),
      primary key (contest_id, version)
    )`.execute(db);
  await sql`create index contest_results_by_player on contest_results
    using gin (rows jsonb_path_ops)`.execute(db);
  await sql`
    create trigger contest_results_append_only before update or delete on contest_results
    for each row execute function refuse_change()`.execute(db);

  await sql`
    alter table audit drop constraint audit_area_check,
      add constraint audit_area_check check (area in (
        'games', 'machines', 'leagues', 'contests', 'players', 'screens', 'staff', 'system'))`.execute(
    db,
  );
}
