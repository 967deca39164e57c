import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Friends (FRIEND-01), and blocks, which duels and nudges share with them (FRIEND-10). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A friendship is two rows, one for each player. `n` is the friend's number in the player's list.
  await sql`
    create table friendships (
      player_id bigint not null references players on delete cascade,
      friend_id bigint not null references players on delete cascade,
      n bigint generated always as identity unique,
      since timestamptz not null,
      primary key (player_id, friend_id),
      check (player_id <> friend_id)
    )`.execute(db);
  await sql`create index friendships_by_friend on friendships (friend_id)`.execute(db);

  await sql`
    create table blocks (
      player_id bigint not null references players on delete cascade,
      blocked_id bigint not null references players on delete cascade,
      n bigint generated always as identity unique,
      at timestamptz not null,
      primary key (player_id, blocked_id),
      check (player_id <> blocked_id)
    )`.execute(db);
  await sql`create index blocks_by_blocked on blocks (blocked_id)`.execute(db);

  await sql`
    create table friend_codes (
      player_id bigint primary key references players on delete cascade,
      code_hash bytea not null unique check (length(code_hash) = 32),
      expires_at timestamptz not null,
      asked_by bigint references players on delete cascade
    )`.execute(db);
  await sql`create index friend_codes_by_asker on friend_codes (asked_by)`.execute(db);
}
