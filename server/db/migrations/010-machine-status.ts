import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

export const indexes = { games_by_machine: 'on games (machine_id, played_at desc)' };

/** Opening hours of venues, status of machines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // 'mon-thu 15:00-23:00, fri-sat 12:00-01:00' (contract/rules/opening-hours.ts). Null: always open.
  await sql`alter table venues add column hours text`.execute(db);

  await sql`
    alter table machines
      add column repair_at timestamptz,
      add column repair_by text,
      add check ((repair_at is null) = (repair_by is null))`.execute(db);

  // A table of its own, because its rows change every minute. Null: not sent yet. The fill factor
  // leaves space for updates within a page.
  await sql`
    create table machine_status (
      machine_id integer primary key references machines on delete cascade,
      -- The last status of the machine.
      reported_at timestamptz,
      queued integer check (queued >= 0),
      oldest_played_at timestamptz,
      rejected integer check (rejected >= 0),
      software text,
      playing boolean not null default false,
      -- When the number of rejected games last rose.
      rejected_at timestamptz,
      -- The last greeting of a player.
      greeted_at timestamptz,
      greeted_player bigint references players on delete set null,
      -- The last call with a key of this machine that was refused. Written at most once a minute.
      refused_at timestamptz,
      -- The last alert that was mailed about the machine.
      mailed_at timestamptz
    ) with (fillfactor = 50)`.execute(db);
  await sql`create index machine_status_by_player on machine_status (greeted_player)
    where greeted_player is not null`.execute(db);

  // The venue where a machine was until `at`. Games received before `at` keep that venue.
  await sql`
    create table machine_moves (
      machine_id integer not null references machines on delete cascade,
      at timestamptz not null,
      venue_id integer references venues,
      primary key (machine_id, at)
    )`.execute(db);

  // More than five minutes in which a machine sent nothing.
  await sql`
    create table machine_away (
      machine_id integer not null references machines on delete cascade,
      gone_at timestamptz not null,
      back_at timestamptz not null check (back_at > gone_at),
      primary key (machine_id, gone_at)
    )`.execute(db);

  // Current alerts, and ended ones whose end has not been mailed.
  await sql`
    create table machine_alerts (
      machine_id integer not null references machines on delete cascade,
      kind text not null check (kind in ('silent', 'rejected', 'clock', 'key')),
      begun_at timestamptz not null,
      ended_at timestamptz,
      -- When its begin was mailed; null before that.
      mailed_at timestamptz,
      primary key (machine_id, kind)
    )`.execute(db);

  await sql`
    create table staff_alerts (
      staff_id bigint primary key references staff on delete cascade,
      email text not null check (length(email) between 3 and 254)
    )`.execute(db);
}
