import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { RefreshAnswer, SignedInSession, Tokens } from '#contract/accounts.ts';
import type { Deps } from '../app.ts';
import { type Caller, type Session, setSession } from '../caller.ts';
import type { Database } from '../db/database.ts';
import { unauthorized } from '../errors.ts';
import { selectUser, toUser } from '../profile/profile.ts';
import { accessTokens, hashOf, refreshTokens } from './tokens.ts';

const DAY_MS = 24 * 3_600_000;
/** P2: without a renewal for this long the session is over … */
export const IDLE_MS = 14 * DAY_MS;
/** … and after this long in any case. */
export const ABSOLUTE_MS = 30 * DAY_MS;
/** P3: how long a replaced token still brings the same successor. */
export const REUSE_WINDOW_MS = 10_000;
/** P5 */
export const SESSIONS_MAX = 20;

type SessionDeps = Pick<Deps, 'config' | 'clock'>;

/**
 * Opens a session for a player and ends the longest idle beyond the 20th (P5). `trx` is the
 * transaction that proved who it is.
 */
export async function openSession(
  { config, clock }: SessionDeps,
  trx: Database,
  playerId: number,
  client: string,
): Promise<Tokens> {
  const now = clock.now();
  const id = randomUUID();
  const refresh = refreshTokens(config).make(id);
  // One at a time for a player: sign-ins at the same moment must count each other (P5).
  await trx
    .selectFrom('players')
    .select('id')
    .where('id', '=', playerId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('sessions')
    .values({
      id,
      player_id: playerId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + ABSOLUTE_MS),
      client,
      refresh_hash: hashOf(refresh),
    })
    .execute();
  await trx
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('player_id', '=', playerId)
        .where('id', '!=', id)
        .orderBy('last_used_at', 'desc')
        .offset(SESSIONS_MAX - 1),
    )
    .execute();
  return { access: accessTokens(config).make(playerId, id, now), refresh };
}

/** Ends sessions of a player: all, all `except` one, or `only` one; what is not there is no error. */
export async function endSessions(
  db: Database,
  playerId: number,
  { except, only }: { except?: string; only?: string } = {},
): Promise<void> {
  let query = db.deleteFrom('sessions').where('player_id', '=', playerId);
  if (except !== undefined) query = query.where('id', '!=', except);
  if (only !== undefined) query = query.where('id', '=', only);
  await query.execute();
}

/**
 * A new access token for a refresh token (P2, P3). Plain tokens stay; with `rotate` the session
 * becomes strict: each token works once, and its successor comes with the answer.
 * @throws Refusal 401 when the token opens nothing (any more).
 */
export async function renew(
  deps: Pick<Deps, 'config' | 'clock' | 'db'>,
  token: string,
  rotate: boolean,
  log: Caller['log'],
): Promise<RefreshAnswer> {
  const { config, clock, db } = deps;
  const refresh = refreshTokens(config);
  const named = refresh.read(token);
  if (named === null) throw unauthorized();
  const now = clock.now();
  const hash = hashOf(token);
  const live = () =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', named.session_id)
      .where('expires_at', '>', now)
      .where('last_used_at', '>', new Date(now.getTime() - IDLE_MS))
      .executeTakeFirst();

  let session = await live();
  if (session?.refresh_hash.equals(hash)) {
    const rotates = rotate || session.rotating;
    const [successor] = refresh.successors(token, session.id);
    const used = await db
      .updateTable('sessions')
      .set(
        rotates
          ? {
              last_used_at: now,
              rotating: true,
              refresh_hash: hashOf(successor),
              previous_hash: hash,
              rotated_at: now,
            }
          : { last_used_at: now },
      )
      .where('id', '=', session.id)
      // Of several renewals at the same moment one replaces the token; the others find it replaced.
      .where('refresh_hash', '=', hash)
      .returning('id')
      .executeTakeFirst();
    if (used !== undefined) {
      const access = accessTokens(config).make(session.player_id, session.id, now);
      return rotates ? { access, refresh: successor } : { access };
    }
    session = await live();
  }
  if (session === undefined) throw unauthorized();
  const { previous_hash, rotated_at } = session;
  if (
    previous_hash?.equals(hash) &&
    rotated_at !== null &&
    now.getTime() - rotated_at.getTime() <= REUSE_WINDOW_MS
  ) {
    const current = session.refresh_hash;
    const successor = refresh
      .successors(token, session.id)
      .find((candidate) => hashOf(candidate).equals(current));
    if (successor !== undefined) {
      const access = accessTokens(config).make(session.player_id, session.id, now);
      return { access, refresh: successor };
    }
  }
  if (previous_hash?.equals(hash) || named.sealed) {
    await db.deleteFrom('sessions').where('id', '=', session.id).execute();
    log.warn(
      { event: 'refresh_reuse', player: session.player_id, session: session.id },
      'a replaced refresh token was used again: its session is ended',
    );
  }
  throw unauthorized();
}

/** Ends the session that a refresh token names, also a replaced one; anything else does nothing (P8). */
export async function endByToken(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  token: string,
): Promise<void> {
  const named = refreshTokens(config).read(token);
  if (named === null) return;
  const hash = hashOf(token);
  let query = db.deleteFrom('sessions').where('id', '=', named.session_id);
  if (!named.sealed)
    query = query.where((eb) =>
      eb.or([eb('refresh_hash', '=', hash), eb('previous_hash', '=', hash)]),
    );
  await query.execute();
}

/** Where a player is signed in, the last used first; one of them is `currentId`. */
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

/**
 * Which of these sessions are still open: for answers that go on for long, such as event streams,
 * which must end soon after their session (contract 2).
 */
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

/**
 * The hook of the player scope: lets a request in whose bearer token is ours and whose session's
 * row is still there (P4), and reads the player in the same query.
 * @throws Refusal 401 otherwise.
 */
export function authenticate({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>) {
  const access = accessTokens(config);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const now = clock.now();
    const bearer = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const named = bearer === undefined ? null : access.read(bearer, now);
    const session = named && (await readSession(db, named.session_id, now));
    if (!session || session.player_id !== named.player_id) {
      reply.header('www-authenticate', 'Bearer');
      throw unauthorized();
    }
    setSession(request, { ...session, access_until: named.until });
  };
}

async function readSession(
  db: Database,
  id: string,
  now: Date,
): Promise<Omit<Session, 'access_until'> | null> {
  const row = await selectUser(db)
    .innerJoin('sessions', 'sessions.player_id', 'players.id')
    .select([
      'sessions.id as session_id',
      'sessions.player_id',
      'sessions.created_at as session_created_at',
    ])
    .where('sessions.id', '=', id)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.session_id,
    player_id: row.player_id,
    created_at: row.session_created_at,
    user: toUser(row),
  };
}
