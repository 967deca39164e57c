import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** The console's staff: roles, links, passkeys, sessions, audit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table staff (
      id bigint generated always as identity primary key,
      name text not null check (length(name) between 1 and 60),
      role text not null check (role in ('floor', 'manager', 'owner')),
      -- The user handle of their passkeys: random, so that it says nothing about the person.
      handle bytea not null unique check (length(handle) = 32),
      created_at timestamptz not null,
      removed_at timestamptz
    )`.execute(db);
  await sql`create unique index staff_name on staff (lower(name)) where removed_at is null`.execute(
    db,
  );
  // Staff with rows in neither table reach everything (STAFF-02).
  await sql`
    create table staff_venues (
      staff_id bigint not null references staff on delete cascade,
      venue_id bigint not null references venues on delete cascade,
      primary key (staff_id, venue_id)
    )`.execute(db);
  await sql`
    create table staff_leagues (
      staff_id bigint not null references staff on delete cascade,
      league_id bigint not null references leagues on delete cascade,
      primary key (staff_id, league_id)
    )`.execute(db);
  // A new link replaces the old (P61).
  await sql`
    create table staff_links (
      staff_id bigint primary key references staff on delete cascade,
      hash bytea not null unique check (length(hash) = 32),
      made_by text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at)
    )`.execute(db);
  await sql`
    create table staff_passkeys (
      id text primary key,
      staff_id bigint not null references staff on delete cascade,
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null default '{}',
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index staff_passkeys_by_staff on staff_passkeys (staff_id)`.execute(db);
  await sql`
    create table staff_sessions (
      id uuid primary key default gen_random_uuid(),
      hash bytea not null unique check (length(hash) = 32),
      staff_id bigint not null references staff on delete cascade,
      -- Null for a session that a link opened.
      passkey_id text references staff_passkeys on delete cascade,
      device text not null,
      client text not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at)
    )`.execute(db);
  await sql`create index staff_sessions_by_staff on staff_sessions (staff_id)`.execute(db);
  // A challenge is valid once, for the browser whose cookie has this hash.
  await sql`
    create table staff_challenges (
      hash bytea primary key check (length(hash) = 32),
      purpose text not null check (purpose in ('register', 'sign_in')),
      challenge text not null,
      staff_id bigint references staff on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index staff_challenges_by_expiry on staff_challenges (expires_at)`.execute(db);

  // Stores names, not references, so that deletions change no line (P65).
  await sql`
    create table audit (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      staff_id bigint,
      who text not null,
      area text not null
        check (area in ('games', 'machines', 'leagues', 'players', 'staff', 'system')),
      what text not null,
      venue_id bigint,
      venue text,
      before jsonb not null default '{}',
      after jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_by_time on audit (at)`.execute(db);
  await sql`
    create function audit_append_only() returns trigger language plpgsql as $$
    begin
      -- A restore replaces the whole database, and says so in its own line.
      if tg_op = 'TRUNCATE' then
        if current_setting('backboard.restoring', true) = 'yes' then return null; end if;
      elsif tg_op = 'DELETE' then
        if old.at < now() - interval '400 days' then return old; end if;
      end if;
      raise exception 'The audit can only be added to.';
    end $$`.execute(db);
  await sql`
    create trigger audit_rows before update or delete on audit
      for each row execute function audit_append_only()`.execute(db);
  await sql`
    create trigger audit_whole before truncate on audit
      for each statement execute function audit_append_only()`.execute(db);
  await sql`revoke update on audit from current_user`.execute(db);
}
