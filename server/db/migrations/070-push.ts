import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Notifications (decision 160): new tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_keys (
      id integer generated always as identity primary key,
      public_key bytea not null unique check (length(public_key) = 65),
      sealed text not null,
      created_at timestamptz not null,
      retired_at timestamptz
    )`.execute(db);

  await sql`
    create table push_devices (
      id bigint generated always as identity primary key,
      player_id bigint not null references players on delete cascade,
      -- null once the session has expired by itself (PUSH-36)
      session_id uuid references sessions on delete cascade,
      endpoint_hash bytea not null unique check (length(endpoint_hash) = 32),
      sealed text not null,
      host text not null,
      locale text not null,
      zone text not null,
      client text not null,
      key_id integer not null references push_keys on delete cascade,
      since timestamptz not null,
      seen_at timestamptz not null,
      failures integer not null default 0,
      failing_since timestamptz
    )`.execute(db);
  await sql`create index push_devices_by_player on push_devices (player_id)`.execute(db);
  await sql`create index push_devices_by_session on push_devices (session_id)`.execute(db);
  await sql`create index push_devices_by_key on push_devices (key_id)`.execute(db);

  // A player's switches, what the player was asked, and what was sent last. Locking the row puts
  // sends in order.
  await sql`
    create table player_push (
      player_id bigint primary key references players on delete cascade,
      my_game boolean not null,
      my_week boolean not null,
      nudge boolean not null,
      duel boolean not null,
      passed boolean not null,
      asked smallint not null default 0,
      ask_after timestamptz,
      last_sent_at timestamptz,
      -- How many were sent on that day of the player's clock.
      sent_on date,
      sent smallint not null default 0
    )`.execute(db);

  await sql`
    create table push_notices (
      id uuid primary key default gen_random_uuid(),
      player_id bigint not null references players on delete cascade,
      kind text not null,
      subject text not null,
      -- Ids and figures, no names.
      data jsonb not null,
      caused_at timestamptz not null,
      worth_until timestamptz not null,
      due_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'sent', 'dropped')),
      why text,
      planned_at timestamptz
    )`.execute(db);
  await sql`create unique index push_notices_waiting on push_notices (player_id, kind, subject)
    where state = 'waiting'`.execute(db);
  await sql`create index push_notices_due on push_notices (due_at) where state = 'waiting'`.execute(
    db,
  );
  await sql`create index push_notices_by_age on push_notices (caused_at)`.execute(db);

  // One message to one device. The row is deleted when the push service has answered.
  await sql`
    create table push_sends (
      notice_id uuid not null references push_notices on delete cascade,
      device_id bigint not null references push_devices on delete cascade,
      host text not null,
      due_at timestamptz not null,
      tries integer not null default 0,
      primary key (notice_id, device_id)
    )`.execute(db);
  await sql`create index push_sends_due on push_sends (host, due_at)`.execute(db);
  await sql`create index push_sends_by_device on push_sends (device_id)`.execute(db);
}
