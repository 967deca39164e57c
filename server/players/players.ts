import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { average } from '#contract/rules/games.ts';
import { DEFAULT_AVATAR_COLOR, DEFAULT_JERSEY_NUMBER } from '#contract/rules/jersey.ts';
import type { JoinedBy } from '#contract/wire/leagues.ts';
import { PROVIDERS, type User } from '#contract/wire/profile.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Schema } from '../db/schema.ts';
import type { Queryable } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Issuers, providerOf } from './identities.ts';
import { type AgeRule, visibilityOf } from './visibility.ts';

/*
 * Players, and the histories of their league mode and team. No other file writes the table
 * `players`.
 */

/** Not `select *`: its cached plan fails after a column is added. */
/** A decision of staff can be undone for a day (OPS-17). */
const UNDO_MS = 24 * 3_600_000;

const COLUMNS = [
  'id',
  'uuid',
  'email',
  'email_verified_at',
  'address_claimed',
  'username',
  'password_hash',
  'date_of_birth',
  'birthdate_refused_until',
  'avatar_color',
  'jersey_number',
  'league_mode_enabled',
  'team_id',
  'visibility',
  'visibility_question',
  'wall_asked',
  'created_at',
] as const satisfies (keyof Schema['players'])[];

export const NO_ACCOUNT = 'There is no such account. It may have been deleted.';

export type Player = Selectable<Schema['players']>;

export type UserRule = AgeRule & { config: Issuers };

export type UserRow = Pick<
  Player,
  | 'uuid'
  | 'email'
  | 'username'
  | 'date_of_birth'
  | 'avatar_color'
  | 'jersey_number'
  | 'league_mode_enabled'
  | 'visibility'
  | 'visibility_question'
> & {
  team_name: string | null;
  games_played: number | null;
  highscore: number | null;
  score_sum: number | null;
  has_password: boolean;
  issuers: string[];
};

/**
 * SQL: all data of the `user` in a response (API-10), as a `UserRow`, from USERS: players `p`, their
 * teams `t`, and their statistics `st`.
 */
export const USER = sql`p.uuid, p.email, p.username, p.date_of_birth, p.avatar_color, p.jersey_number,
  p.league_mode_enabled, p.visibility, p.visibility_question, t.name as team_name,
  st.games_played, st.highscore, st.score_sum, p.password_hash is not null as has_password,
  array(select issuer from identities where player_id = p.id) as issuers`;
export const USERS = sql`players p left join teams t on t.id = p.team_id
  left join player_stats st on st.player_id = p.id`;

/**
 * A response's `user`. `profile_setup_complete` and `has_set_password` are derived (ACC-04,
 * ACC-05).
 */
export function toUser(deps: UserRule, row: UserRow): User {
  const linked = row.issuers.map((issuer) => providerOf(deps.config, issuer));
  const methods = [
    ...(row.has_password ? (['password'] as const) : []),
    ...PROVIDERS.filter((id) => linked.includes(id)),
  ];
  return {
    uuid: row.uuid,
    email: row.email,
    username: row.username ?? '',
    profile_setup_complete:
      row.username !== null && row.date_of_birth !== null && methods.length > 0,
    has_set_password: row.has_password,
    sign_in_methods: methods,
    date_of_birth: row.date_of_birth,
    avatar_color: row.avatar_color,
    jersey_number: row.jersey_number,
    league_mode_enabled: row.league_mode_enabled,
    team: row.team_name === null ? null : { name: row.team_name },
    ...visibilityOf(deps, row),
    user_stat: {
      games_played: row.games_played ?? 0,
      highscore: row.highscore ?? 0,
      avg_score: average(row.score_sum ?? 0, row.games_played ?? 0),
    },
  };
}

/** @throws if there is no player with this id. */
export async function readUser(deps: UserRule & Pick<Deps, 'db'>, id: number): Promise<User> {
  const { rows } = await sql<UserRow>`
    select ${USER} from ${USERS} where p.id = ${id}`.execute(deps.db);
  if (rows[0] === undefined) throw new Error('no player has this id');
  return toUser(deps, rows[0]);
}

const byEmail = (db: Database, email: string) =>
  db.selectFrom('players').select(COLUMNS).where('email', '=', email);

/** Finds a player by canonical address. */
export function findByEmail(db: Database, email: string): Promise<Player | undefined> {
  return byEmail(db, email).executeTakeFirst();
}

type Named = {
  ids?: readonly number[];
  /** Canonical addresses. */
  emails?: readonly string[];
  usernames?: readonly string[];
};

/**
 * The players with these ids, addresses or usernames (in any letter case), unsorted. `reached`: a
 * condition on rows of `players`. The result says whether a player meets it.
 */
export async function findPlayers(
  db: Database,
  { ids = [], emails = [], usernames = [] }: Named,
  reached: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<{ id: number; email: string; username: string | null; reached: boolean }[]> {
  const lower = usernames.map((username) => username.toLowerCase());
  return db
    .selectFrom('players')
    .select(['id', 'email', 'username', reached.as('reached')])
    .where(
      sql<boolean>`(id = any(${[...ids]}::bigint[]) or email = any(${[...emails]}::text[])
        or lower(username) = any(${lower}::text[]))`,
    )
    .execute();
}

/** Whether another player than `exceptId` has this username, in any letter case. */
export async function isUsernameTaken(
  db: Database,
  username: string,
  exceptId: number,
): Promise<boolean> {
  const other = await db
    .selectFrom('players')
    .select('id')
    .where(sql<string>`lower(username)`, '=', username.toLowerCase())
    .where('id', '!=', exceptId)
    .executeTakeFirst();
  return other !== undefined;
}

/** At most `limit` addresses that begin with `prefix`. */
export async function listEmails(db: Database, prefix: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('players')
    .select('email')
    .where((eb) => eb.fn('starts_with', ['email', eb.val(prefix)]), '=', true)
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}

/** The codes and usernames of at most `limit` players who have set username and birth date. */
export async function listCodes(
  db: Database,
  limit: number,
): Promise<{ uuid: string; username: string }[]> {
  const rows = await db
    .selectFrom('players')
    .select(['uuid', 'username'])
    .where('username', 'is not', null)
    .where('date_of_birth', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ uuid, username }) => ({ uuid, username: username ?? '' }));
}

/*
 * To prevent deadlocks, a transaction locks players before other rows, by ascending id. The lock
 * also protects what derives from the player's games.
 */

/** A player by canonical address, locked. */
export function lockByEmail(trx: Database, email: string): Promise<Player | undefined> {
  return byEmail(trx, email).forNoKeyUpdate().executeTakeFirst();
}

export function lockPlayer(trx: Database, id: number): Promise<Player | undefined> {
  return trx
    .selectFrom('players')
    .select(COLUMNS)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks players by ascending id. Skips ids of deleted accounts. */
export async function lockPlayers(trx: Database, ids: readonly number[]): Promise<void> {
  await sql`select id from players where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    trx,
  );
}

/**
 * Locks the players with these codes, if they have set a username and a birth date. Returns their
 * ids by code.
 */
export async function lockByCodes(
  trx: Queryable,
  uuids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; uuid: string }>`
    select id, uuid from players
    where uuid = any(${uuids}::uuid[]) and username is not null and date_of_birth is not null
    order by id for no key update`.execute(trx);
  return new Map(rows.map(({ id, uuid }) => [uuid, id]));
}

/** Adds a player; undefined if another player has the address. */
export function addPlayer(
  trx: Database,
  columns: Insertable<Schema['players']>,
): Promise<Player | undefined> {
  return trx
    .insertInto('players')
    .values(columns)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Adds a player, or locks the one with the address; undefined if that one was deleted meanwhile.
 */
export async function addOrLock(
  trx: Database,
  columns: Insertable<Schema['players']>,
): Promise<{ player: Player; added: boolean } | undefined> {
  const made = await addPlayer(trx, columns);
  if (made !== undefined) return { player: made, added: true };
  const player = await lockByEmail(trx, columns.email);
  return player && { player, added: false };
}

/** Changes a player's columns; false for an unknown player. */
export async function updatePlayer(
  db: Database,
  id: number,
  columns: Updateable<Schema['players']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('players')
    .set(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Replaces a password's hash if it is still `stored`. */
export async function replaceHash(
  db: Database,
  id: number,
  stored: string,
  fresh: string,
): Promise<void> {
  await db
    .updateTable('players')
    .set({ password_hash: fresh })
    .where('id', '=', id)
    .where('password_hash', '=', stored)
    .execute();
}

/** Refuses birth dates until `until`. A refusal that still lasts is not extended. */
export async function refuseBirthdates(
  db: Database,
  id: number,
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await db
    .updateTable('players')
    .set({ birthdate_refused_until: until })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('birthdate_refused_until', 'is', null), eb('birthdate_refused_until', '<=', now)]),
    )
    .execute();
}

/** The columns by which a player's own rows are found: `clearPlayer` deletes these rows (P7). */
export const CLEARED: readonly string[] = [
  'league_mode_changes.player_id',
  'join_requests.player_id',
  'friendships.player_id',
  'friendships.friend_id',
  'blocks.player_id',
  'friend_codes.player_id',
  'friend_codes.asked_by',
  'duels.offerer_id',
  'duels.rival_id',
  'duel_tallies.player_id',
  'player_push.player_id',
  'push_devices.player_id',
  'push_off.player_id',
  'push_notices.player_id',
];

/**
 * Resets what the player has set, and replaces the code. Keeps the team, the games, and what others
 * decided about the player, such as their blocks.
 */
export async function clearPlayer(trx: Database, id: number): Promise<void> {
  await trx
    .updateTable('players')
    .set({
      uuid: sql`gen_random_uuid()`,
      username: null,
      password_hash: null,
      date_of_birth: null,
      avatar_color: DEFAULT_AVATAR_COLOR,
      jersey_number: DEFAULT_JERSEY_NUMBER,
      league_mode_enabled: false,
      visibility: 'players',
      visibility_question: false,
      wall_asked: 0,
    })
    .where('id', '=', id)
    .execute();
  for (const column of CLEARED) {
    const [table = ''] = column.split('.');
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(trx);
  }
}

/**
 * Records a change of league mode, because a late game counts by the mode at the time of play. The
 * caller must read the clock for `at` under the player's lock, so that the history stays in order.
 */
export async function recordLeagueMode(
  trx: Database,
  id: number,
  { at, enabled }: { at: Date; enabled: boolean },
): Promise<void> {
  await trx
    .insertInto('league_mode_changes')
    .values({ player_id: id, at, enabled })
    .onConflict((conflict) => conflict.columns(['player_id', 'at']).doUpdateSet({ enabled }))
    .execute();
}

/**
 * Moves players to a team, or off theirs (null), and records it, because a late game counts for the
 * player's team at the time of play. Turns league mode on for players who had no team (HAND-46).
 * Deletes requests of players who get a team (LEAGUE-14). The caller must hold the players' locks.
 * @param at see `recordLeagueMode`
 * @param how how the players came to the team; null if they must not be told (HAND-47)
 * @param undo players whose last move, within a day, took them off this team come back as they were:
 * with the same `how`, `confirmed_at` and waiting mail, and without a change of league mode (OPS-17)
 */
export async function moveToTeams(
  trx: Database,
  moves: readonly { player_id: number; team_id: number | null }[],
  at: Date,
  how: JoinedBy | null,
  undo = false,
): Promise<void> {
  const since = new Date(at.getTime() - UNDO_MS);
  await sql`
    with moving as (
      select p.id, r.team_id, b.at is not null as back, b.how, b.confirmed_at,
        b.mail_waits is true as waits,
        p.team_id is null and not p.league_mode_enabled and b.at is null as turns
      from ${recordset(moves, 'player_id bigint, team_id integer')}
      join players p on p.id = r.player_id
      left join lateral (
        select at, team_id, how, confirmed_at, mail_waits from team_changes
        where player_id = p.id order by at desc offset 1 limit 1
      ) b on ${undo} and b.team_id = r.team_id and exists (
        select from team_changes where player_id = p.id and at > ${since}::timestamptz)
      where p.team_id is distinct from r.team_id
    ), moved as (
      update players p set team_id = m.team_id,
        league_mode_enabled = p.league_mode_enabled or m.turns
      from moving m where p.id = m.id
    ), settled as (
      delete from join_requests where player_id in (select id from moving where team_id is not null)
    ), turned as (
      insert into league_mode_changes (player_id, at, enabled)
      select id, ${at}::timestamptz, true from moving where turns
      on conflict (player_id, at) do update set enabled = true
    )
    insert into team_changes (player_id, at, team_id, how, mail_waits, confirmed_at)
    select id, ${at}::timestamptz, team_id, case when back then how else ${how}::text end,
      case when back then waits else ${how !== null && how !== 'code'}::boolean end, confirmed_at
    from moving
    on conflict (player_id, at) do update set team_id = excluded.team_id, how = excluded.how,
      mail_waits = excluded.mail_waits, confirmed_at = excluded.confirmed_at`.execute(trx);
}

/**
 * Takes back what the players' last move did to league mode (HAND-46). Leaves out players who joined
 * by a code, and those whose league mode has changed since. Call it before undoing the move, with
 * the players' locks held.
 * @param at see `recordLeagueMode`
 */
export async function takeBackLeagueMode(
  trx: Database,
  playerIds: readonly number[],
  at: Date,
): Promise<void> {
  await sql`
    with turned as (
      update players p set league_mode_enabled = not league_mode_enabled
      from (
        select distinct on (player_id) player_id, at, how from team_changes
        where player_id = any(${playerIds}::bigint[]) order by player_id, at desc
      ) c
      where p.id = c.player_id and c.how is distinct from 'code'
        and c.at = (select max(at) from league_mode_changes where player_id = p.id)
      returning p.id, p.league_mode_enabled
    )
    insert into league_mode_changes (player_id, at, enabled)
    select id, ${at}::timestamptz, league_mode_enabled from turned
    on conflict (player_id, at) do update set enabled = excluded.enabled`.execute(trx);
}
