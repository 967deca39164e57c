import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Machines, games, and tables computed from games. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table venues (
      id integer generated always as identity primary key,
      name text not null check (name = trim(name) and length(name) between 1 and 60)
    )`.execute(db);
  await sql`create unique index venues_name on venues (lower(name))`.execute(db);

  await sql`
    create table machines (
      id integer generated always as identity primary key,
      name text not null check (name = trim(name) and length(name) between 1 and 60),
      venue_id integer references venues,
      created_at timestamptz not null,
      -- Written at most once a minute; so is machine_keys.last_used_at.
      last_seen_at timestamptz,
      -- The machine's clock minus the server's, in ms; null until a request had a Date header.
      clock_error_ms bigint,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create unique index machines_name on machines (lower(name))`.execute(db);

  // After a rotation, two keys work for an hour (P31a).
  await sql`
    create table machine_keys (
      id text primary key,
      machine_id integer not null references machines on delete cascade,
      hash bytea not null unique check (length(hash) = 32),
      created_at timestamptz not null,
      expires_at timestamptz,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index machine_keys_by_machine on machine_keys (machine_id)`.execute(db);

  // The rate limit of machines (P31g). Unlogged: no request writes to disk, and a crash resets it.
  await sql`
    create unlogged table machine_pace (
      machine_id integer primary key references machines on delete cascade,
      free_at timestamptz not null
    )`.execute(db);

  // player_id has no foreign key: games outlive the account, for team totals (P30e). Insert only
  // under the player's row lock.
  await sql`
    create table games (
      machine_id integer not null references machines,
      id uuid not null,
      -- The order in which games were recorded, whenever they were played.
      seq bigint generated always as identity,
      player_id bigint not null,
      score integer not null check (score >= 0),
      played_at timestamptz not null,
      -- The calendar day on which it was played, in the zone of the player's league, else in UTC.
      day date not null,
      received_at timestamptz not null,
      duration_s real check (duration_s >= 0),
      shots_made integer check (shots_made >= 0),
      shots_attempted integer check (shots_attempted >= 0),
      state text not null check (state in ('counted', 'held', 'void', 'discarded')),
      held_reason text check (held_reason in ('over_max_score', 'too_many_games', 'two_machines')),
      check (state not in ('held', 'discarded') or held_reason is not null),
      -- A hash of the content, to distinguish a repeat from a conflict even after a deletion.
      digest bytea not null check (length(digest) = 32),
      -- A league game keeps its team and week permanently; any other game has a reason, outside.
      team_id integer references teams,
      week date check (extract(isodow from week) = 1),
      outside text check (outside in ('league_mode_off', 'no_team')),
      check ((team_id is null) = (week is null)),
      check ((team_id is null) = (outside is not null)),
      -- The natural key (P31c): a machine may send a game any number of times.
      primary key (machine_id, id)
    )`.execute(db);
  await sql`create index games_by_player on games (player_id, played_at desc, id desc)`.execute(db);
  await sql`create index games_by_week on games (player_id, week, played_at, id)
    where week is not null and state = 'counted'`.execute(db);
  await sql`create index games_held on games (received_at) where state = 'held'`.execute(db);
  // Games are stored by received_at, so a small BRIN index finds a day's start.
  await sql`create index games_by_arrival on games using brin (received_at)`.execute(db);

  await sql`
    create table player_stats (
      player_id bigint primary key references players on delete cascade,
      games_played integer not null check (games_played > 0),
      highscore integer not null check (highscore >= 0),
      score_sum bigint not null check (score_sum >= highscore)
    )`.execute(db);

  // High scores, a row per player and leaderboard. venue_id 0: all venues; week: a Monday, or
  // '-infinity' for all time.
  await sql`
    create table bests (
      venue_id integer not null,
      week date not null,
      player_id bigint not null references players on delete cascade,
      score integer not null check (score >= 0),
      primary key (player_id, venue_id, week)
    )`.execute(db);
  await sql`create index bests_in_order on bests (venue_id, week, score, player_id)`.execute(db);

  // A player's week for a team: at most 8 games, the total of the best 4.
  await sql`
    create table league_weeks (
      team_id integer not null references teams on delete cascade,
      week date not null check (extract(isodow from week) = 1),
      player_id bigint not null,
      games_played integer not null check (games_played between 1 and 8),
      score_sum bigint not null check (score_sum >= 0),
      total bigint not null check (total between 0 and score_sum),
      fourth_best integer check ((fourth_best is null) = (games_played < 4)),
      primary key (team_id, week, player_id)
    )`.execute(db);
  await sql`create index league_weeks_by_player on league_weeks (player_id, week)`.execute(db);

  // unlocked_at: when the game that won the achievement was played.
  await sql`
    create table player_achievements (
      player_id bigint not null references players on delete cascade,
      key text not null,
      unlocked_at timestamptz not null,
      machine_id integer not null,
      game_id uuid not null,
      primary key (player_id, key),
      foreign key (machine_id, game_id) references games
    )`.execute(db);
}
