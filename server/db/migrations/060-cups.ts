import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Cups (CUP-01): new tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cups (
      id integer generated always as identity primary key,
      uuid uuid not null default gen_random_uuid(),
      -- null: all venues
      venue_id integer references venues,
      league_id integer references leagues,
      -- The season whose champion it decides (CUP-02).
      season_id integer unique references seasons,
      kind text not null check (kind in ('players', 'teams')),
      name text not null check (name = trim(name) and length(name) between 1 and 40),
      best integer not null check (best between 1 and 10),
      "of" integer not null check ("of" between best and 20),
      per_player integer check (per_player between 1 and "of"),
      third boolean not null,
      windows text not null check (windows in ('hours', 'weeks')),
      -- Its seeds follow the season's table until round 1 begins (CUP-02).
      follows boolean not null default false,
      created_at timestamptz not null,
      -- The begin of round 1, once the players of the sides are stored (CUP-11).
      began_at timestamptz,
      final_at timestamptz,
      -- null in a final cup: nobody played the final
      winner_seed integer,
      check ((kind = 'teams') = (league_id is not null)),
      check ((kind = 'teams') = (per_player is not null)),
      check (kind = 'teams' or venue_id is not null),
      check (season_id is null or kind = 'teams')
    )`.execute(db);
  await sql`create index cups_by_venue on cups (venue_id)`.execute(db);
  await sql`create index cups_by_league on cups (league_id)`.execute(db);
  await sql`create index cups_open on cups (id) where final_at is null`.execute(db);

  await sql`
    create table cup_sides (
      cup_id integer not null references cups on delete cascade,
      seed integer not null check (seed between 1 and 64),
      team_id integer references teams on delete set null,
      player_id bigint references players on delete set null,
      -- Of a team, as it was (FRAME-06).
      name text,
      withdrew_at timestamptz,
      primary key (cup_id, seed),
      unique (cup_id, team_id),
      unique (cup_id, player_id)
    )`.execute(db);
  await sql`create index cup_sides_by_player on cup_sides (player_id)`.execute(db);
  await sql`create index cup_sides_by_team on cup_sides (team_id)`.execute(db);

  await sql`
    create table cup_players (
      cup_id integer not null,
      player_id bigint not null references players on delete cascade,
      seed integer not null,
      from_round integer not null check (from_round >= 0),
      -- The first round whose games do not count; null: all
      to_round integer check (to_round >= from_round),
      primary key (cup_id, player_id, from_round),
      foreign key (cup_id, seed) references cup_sides on delete cascade
    )`.execute(db);
  await sql`create index cup_players_by_player on cup_players (player_id)`.execute(db);

  await sql`
    create table cup_pairings (
      cup_id integer not null references cups on delete cascade,
      round integer not null check (round between 0 and 5),
      slot integer not null check (slot between 0 and 31),
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      -- Machines that have reported since the end that nothing waits and nobody plays (FRAME-04).
      quiet_machines integer[] not null default '{}',
      -- The new count that staff have chosen to leave out (CUP-20).
      left_result jsonb,
      primary key (cup_id, round, slot)
    )`.execute(db);
  await sql`create index cup_pairings_by_end on cup_pairings (ends_at)`.execute(db);

  await sql`
    create table cup_results (
      cup_id integer not null references cups on delete cascade,
      round integer not null,
      slot integer not null,
      version integer not null check (version > 0),
      at timestamptz not null,
      who text not null,
      reason text check (length(reason) between 1 and 200),
      winner_seed integer,
      how text not null check (how in ('score', 'best_game', 'seed', 'no_show', 'ruling')),
      -- Of both sides the seed, the sum and the counted games; numbers of accounts, never names.
      sides jsonb not null,
      primary key (cup_id, round, slot, version)
    )`.execute(db);
  await sql`
    create trigger cup_results_append_only before update or delete on cup_results
    for each row execute function refuse_change()`.execute(db);
}
