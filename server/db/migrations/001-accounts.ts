import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Players and their ways to sign in. Each invariant is a constraint. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table players (
      id bigint generated always as identity primary key,
      -- The player's code: a public name, not a credential (ACC-29). The player can replace it.
      uuid uuid not null default gen_random_uuid() unique,
      email text not null unique
        check (email = lower(email) and email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
      email_verified_at timestamptz,
      -- Null until profile setup; the placeholder of the registration is not stored (ACC-03).
      username text check (username ~ '^[A-Za-z0-9_-]{3,30}$'),
      password_hash text check (password_hash like '$argon2id$%'),
      date_of_birth date check (date_of_birth > date '1900-01-01'),
      -- Set for 24 h after a date that is too young (P30c). That date is not stored.
      birthdate_refused_until timestamptz,
      avatar_color text not null default '#377AD3' check (avatar_color ~ '^#[0-9A-F]{6}$'),
      jersey_number text not null default '00' check (jersey_number ~ '^[0-9]{2}$'),
      league_mode_enabled boolean not null default false,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create unique index players_username on players (lower(username))`.execute(db);

  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      player_id bigint not null references players on delete cascade,
      created_at timestamptz not null,
      primary key (issuer, subject),
      unique (player_id, issuer)
    )`.execute(db);

  await sql`
    create table sessions (
      id uuid primary key default gen_random_uuid(),
      player_id bigint not null references players on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      client text not null,
      refresh_hash bytea not null unique check (length(refresh_hash) = 32),
      -- Whether the client has opted into rotation; reusing an old token then ends the session
      -- (P3).
      rotating boolean not null default false,
      previous_hash bytea check (length(previous_hash) = 32),
      rotated_at timestamptz,
      check (rotating or previous_hash is null)
    )`.execute(db);
  await sql`create index sessions_by_player on sessions (player_id, last_used_at)`.execute(db);
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db);

  // At most one code or link per purpose (P20, P23).
  await sql`
    create table codes (
      player_id bigint not null references players on delete cascade,
      purpose text not null check (purpose in ('verify_email', 'reset_password')),
      email text not null,
      salt bytea not null,
      hash bytea not null check (length(hash) = 32),
      tries integer not null default 0 check (tries between 0 and 5),
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at),
      primary key (player_id, purpose)
    )`.execute(db);

  // A logged table, because a crash must not reset the limits (P17).
  await sql`
    create table limits (
      key text primary key,
      points integer not null check (points >= 0),
      resets_at timestamptz not null
    )`.execute(db);
  await sql`create index limits_by_reset on limits (resets_at)`.execute(db);

  // Hashes of deleted accounts, for restores (P30e).
  await sql`
    create table tombstones (
      digest bytea primary key check (length(digest) = 32),
      deleted_at timestamptz not null
    )`.execute(db);

  // Without SMTP_URL, mails are kept for /dev/mailbox.
  await sql`
    create table kept_mails (
      id bigint generated always as identity primary key,
      sent_at timestamptz not null,
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null
    )`.execute(db);
}
