import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RefreshAnswer, SignedInSession, Tokens } from '#contract/wire/accounts.ts';
import { batched } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { unauthorized } from '../errors.ts';
import type { Caller, Session } from '../http/caller.ts';
import { logSecurity } from '../http/security-log.ts';
import { hashOf } from '../keys.ts';
import { lockPlayer, lockPlayers, type Player } from '../players/players.ts';
import { refreshKeys } from './refresh-keys.ts';
import { accessTokens, refreshTokens } from './tokens.ts';

const DAY_MS = 24 * 3_600_000;
/** A session ends after this time without use (P2). */
export const IDLE_MS = 14 * DAY_MS;
/** A session ends this long after the sign-in (P2). */
export const ABSOLUTE_MS = 30 * DAY_MS;
/** For this long, a replaced refresh token gets the same successor (P3). */
export const REUSE_WINDOW_MS = 10_000;
export const SESSIONS_MAX = 20;

type Network = Pick<Caller, 'ip' | 'log'>;

type SessionDeps = Pick<Deps, 'config' | 'clock'>;

/** Opens a session. Beyond SESSIONS_MAX, ends the one that was idle the longest (P5). */
export async function openSession(
  { config, clock }: SessionDeps,
  trx: Database,
  playerId: number,
  client: string,
): Promise<Tokens> {
  const now = clock.now();
  const id = randomUUID();
  const refresh = refreshTokens(await refreshKeys(config).known(trx, now)).make(id);
  // Concurrent sign-ins must count each other's sessions (P5).
  await lockPlayer(trx, playerId);
  await trx
    .with('opened', (db) =>
      db.insertInto('sessions').values({
        id,
        player_id: playerId,
        created_at: now,
        last_used_at: now,
        expires_at: new Date(now.getTime() + ABSOLUTE_MS),
        client,
        refresh_hash: hashOf(refresh),
      }),
    )
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('player_id', '=', playerId)
        .orderBy('last_used_at', 'desc')
        // The subquery does not see the inserted row.
        .offset(SESSIONS_MAX - 1),
    )
    .execute();
  return { access: accessTokens(config).make(playerId, id, now), refresh };
}

/**
 * Locks a session's player and `others`, by ascending id, and runs `change` if the session is still
 * open (P4): it may have ended while the body arrived.
 * @throws Refusal 401 if the session has ended, or any error of `change`.
 */
export function changeAs<T>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, player_id }: Pick<Session, 'id' | 'player_id'>,
  change: (trx: Database, player: Player) => Promise<T>,
  others?: readonly number[],
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    if (others !== undefined) await lockPlayers(trx, [player_id, ...others]);
    const player = await lockPlayer(trx, player_id);
    // A password reset takes the same lock, so it cannot end the session meanwhile.
    const open = await openAmong({ db: trx, clock }, [id]);
    if (player === undefined || !open.has(id)) throw unauthorized();
    return change(trx, player);
  });
}

/**
 * Ends a player's sessions: all, all but `except`, or `only`. Returns how many. Unless `only` one
 * ends, the devices whose sessions have expired go too (PUSH-36).
 */
export async function endSessions(
  db: Database,
  playerId: number,
  { except, only }: { except?: string; only?: string } = {},
): Promise<number> {
  let query = db.deleteFrom('sessions').where('player_id', '=', playerId);
  if (except !== undefined) query = query.where('id', '!=', except);
  if (only !== undefined) query = query.where('id', '=', only);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  if (only === undefined) {
    // Sessions go first, because a sign-out locks its session and then, by cascade, its device.
    let devices = db.deleteFrom('push_devices').where('player_id', '=', playerId);
    if (except !== undefined) devices = devices.where('session_id', 'is distinct from', except);
    await devices.execute();
  }
  return Number(numDeletedRows);
}

/** Ends the sessions and devices of all players. Returns how many sessions. */
export async function endEverySession(db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').executeTakeFirstOrThrow();
  await db.deleteFrom('push_devices').execute();
  return Number(numDeletedRows);
}

type NamedSession = { session_id: string; sealed: boolean };

/**
 * A refresh token's session, and whether its seal is valid. Returns null for a malformed token.
 * Also returns null for an invalid seal that neither a replaced SECRET_KEY nor an earlier version
 * can have made: such a token costs no statement (P17).
 */
async function readRefresh(
  { config, clock, db }: Pick<Deps, 'config' | 'clock' | 'db'>,
  token: string,
): Promise<NamedSession | null> {
  const now = clock.now();
  const named = refreshTokens(await refreshKeys(config).known(db, now)).read(token);
  if (named === null || named.sealed) return named;
  const keys = await refreshKeys(config).reloaded(db, now);
  const { unsealed_until } = keys;
  const again = refreshTokens(keys).read(token);
  return again?.sealed || (unsealed_until !== null && now < unsealed_until) ? again : null;
}

type RefreshCall = { session_id: string; token: string; rotate: boolean };

/**
 * Refreshes sessions in one statement. Replaces a session's token if this or an earlier call has
 * set `rotate`. Returns for each call the player and the successor (null without rotation), or null
 * if the token is not the current one of an open session.
 */
async function refreshCurrent(
  { config, clock, db }: Pick<Deps, 'config' | 'clock' | 'db'>,
  calls: readonly RefreshCall[],
): Promise<({ player_id: number; successor: string | null } | null)[]> {
  const now = clock.now();
  const tokens = refreshTokens(await refreshKeys(config).known(db, now));
  const asked = calls.map(({ session_id, token, rotate }) => {
    const successor = tokens.successor(token, session_id);
    return { session_id, rotate, successor, hash: hashOf(token), next: hashOf(successor) };
  });
  // Sorted, so that batches with the same sessions do not deadlock.
  const inOrder = asked.toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));
  const { rows } = await sql<{ id: string; player_id: number; rotating: boolean }>`
    update sessions s set last_used_at = ${now}, rotating = s.rotating or r.rotate,
      refresh_hash = case when s.rotating or r.rotate then r.next else s.refresh_hash end,
      previous_hash = case when s.rotating or r.rotate then r.hash end,
      rotated_at = case when s.rotating or r.rotate then ${now}::timestamptz end
    from unnest(
      ${inOrder.map(({ session_id }) => session_id)}::uuid[], ${inOrder.map(({ hash }) => hash)}::bytea[],
      ${inOrder.map(({ next }) => next)}::bytea[], ${inOrder.map(({ rotate }) => rotate)}::boolean[]
    ) as r (id, hash, next, rotate)
    where s.id = r.id and s.refresh_hash = r.hash and s.expires_at > ${now}
      and s.last_used_at > ${new Date(now.getTime() - IDLE_MS)}
    returning s.id, s.player_id, s.rotating`.execute(db);
  const refreshed = new Map(rows.map((row) => [row.id, row]));
  return asked.map(({ session_id, successor }) => {
    const row = refreshed.get(session_id);
    if (row === undefined) return null;
    return { player_id: row.player_id, successor: row.rotating ? successor : null };
  });
}

const BATCH_MAX = 100;
const CONCURRENCY = 2;

/**
 * Returns a function that makes an access token for a refresh token (P2, P3). It throws Refusal 401
 * for a token without an open session. Concurrent calls share a commit (“Refreshes share a
 * statement and a commit” in bench/results.md).
 */
export function refresher(deps: Pick<Deps, 'config' | 'clock' | 'db'>) {
  const { config, clock } = deps;
  const refreshInBatch = batched((calls: RefreshCall[]) => refreshCurrent(deps, calls), {
    max: BATCH_MAX,
    concurrency: CONCURRENCY,
    // A session's second refresh must see the first one's effect.
    keyOf: ({ session_id }) => session_id,
  });
  return async (token: string, rotate: boolean, caller: Network): Promise<RefreshAnswer> => {
    const named = await readRefresh(deps, token);
    if (named === null) {
      logSecurity(caller, 'refresh_refused', { actor: 'visitor', reason: 'malformed or forged' });
      throw unauthorized();
    }
    const { session_id, sealed } = named;
    const current = await refreshInBatch({ session_id, token, rotate });
    const { player_id, successor } =
      current ?? (await refreshReplaced(deps, { session_id, token, sealed }, caller));
    const access = accessTokens(config).make(player_id, session_id, clock.now());
    return successor === null ? { access } : { access, refresh: successor };
  };
}

/**
 * The player and the successor of a token that was replaced within the reuse window. Ends the
 * session of a token that was replaced earlier, because it was probably stolen (P3).
 * @throws Refusal 401 outside the window.
 */
async function refreshReplaced(
  { config, clock, db }: Pick<Deps, 'config' | 'clock' | 'db'>,
  { session_id, token, sealed }: NamedSession & { token: string },
  caller: Network,
): Promise<{ player_id: number; successor: string }> {
  const now = clock.now();
  const hash = hashOf(token);
  const session = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', session_id)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - IDLE_MS))
    .executeTakeFirst();
  if (session === undefined) {
    logSecurity(caller, 'refresh_refused', {
      actor: 'visitor',
      session: session_id,
      reason: 'the session has ended',
    });
    throw unauthorized();
  }
  const { player_id, previous_hash, rotated_at, refresh_hash } = session;
  if (
    previous_hash?.equals(hash) &&
    rotated_at !== null &&
    // The clock may have been ahead at the rotation.
    Math.abs(now.getTime() - rotated_at.getTime()) <= REUSE_WINDOW_MS
  ) {
    const successor = refreshTokens(await refreshKeys(config).known(db, now))
      .everySuccessor(token, session_id)
      .find((candidate) => hashOf(candidate).equals(refresh_hash));
    if (successor !== undefined) return { player_id, successor };
  }
  const replaced = !refresh_hash.equals(hash);
  if (previous_hash?.equals(hash) || (sealed && replaced)) {
    await db.deleteFrom('sessions').where('id', '=', session_id).execute();
    logSecurity(caller, 'refresh_reuse', {
      actor: 'visitor',
      player: player_id,
      session: session_id,
    });
  } else
    logSecurity(caller, 'refresh_refused', {
      actor: 'visitor',
      session: session_id,
      reason: 'not a token of the session',
    });
  throw unauthorized();
}

/**
 * Ends the session of a current or replaced refresh token (P8). Returns the player's id, or null if
 * the token is forged or malformed, or the session has ended.
 */
export async function endByToken(
  deps: Pick<Deps, 'config' | 'clock' | 'db'>,
  token: string,
): Promise<number | null> {
  const named = await readRefresh(deps, token);
  if (named === null) return null;
  const hash = hashOf(token);
  let query = deps.db.deleteFrom('sessions').where('id', '=', named.session_id);
  if (!named.sealed)
    query = query.where((eb) =>
      eb.or([eb('refresh_hash', '=', hash), eb('previous_hash', '=', hash)]),
    );
  const ended = await query.returning('player_id').executeTakeFirst();
  return ended?.player_id ?? null;
}

/** A player's open sessions, the most recently used first. */
export async function listSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  playerId: number,
  currentId: string,
): Promise<SignedInSession[]> {
  const now = clock.now();
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'client'])
    .where('player_id', '=', playerId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - IDLE_MS))
    .orderBy('last_used_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
    client: row.client,
    current: row.id === currentId,
  }));
}

/** Which of the session ids are open (API-14). */
export async function openAmong(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('expires_at', '>', clock.now())
    .execute();
  return new Set(rows.map(({ id }) => id));
}
