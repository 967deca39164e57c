import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** With this index, a screen finds a machine's newest achievements without reading all. */
export const indexes = {
  player_achievements_by_machine: 'on player_achievements (machine_id, unlocked_at desc)',
};

/** Screens at venues, and the high score that a game beat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table venues
      add column notice text check (length(notice) between 1 and 200)`.execute(db);

  await sql`
    create table screens (
      id integer generated always as identity primary key,
      venue_id integer not null references venues,
      name text not null check (name = trim(name) and length(name) between 1 and 60),
      -- Null until the television has claimed its token (P66).
      token_hash bytea unique check (length(token_hash) = 32),
      -- In order, each with whether it is on and for how many seconds.
      slides jsonb not null,
      still boolean not null default false,
      width integer,
      height integer,
      created_at timestamptz not null,
      -- Written at most once a minute.
      last_seen_at timestamptz
    )`.execute(db);
  await sql`create unique index screens_name on screens (lower(name))`.execute(db);

  // A television with a pairing code. Pairing sets screen_id.
  await sql`
    create table screen_pairings (
      secret_hash bytea primary key check (length(secret_hash) = 32),
      code text not null unique check (code ~ '^[A-HJKMNP-Z2-9]{6}$'),
      screen_id integer references screens on delete cascade,
      width integer,
      height integer,
      created_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > created_at)
    )`.execute(db);
  await sql`create index screen_pairings_by_expiry on screen_pairings (expires_at)`.execute(db);

  await sql`
    alter table audit drop constraint audit_area_check,
      add constraint audit_area_check check (
        area in ('games', 'machines', 'leagues', 'players', 'screens', 'staff', 'system'))`.execute(
    db,
  );

  // The high score that the game beat when recorded, or null. Last, because it locks `games`.
  await sql`alter table games add column beat integer check (beat >= 0 and beat < score)`.execute(
    db,
  );
}
