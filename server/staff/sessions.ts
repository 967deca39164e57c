import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Role } from '#contract/rules/staff.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { usesTls } from '../http/headers.ts';
import { readCookies } from '../http/requests.ts';
import { hashOf } from '../keys.ts';
import type { StaffActor } from './actor.ts';

const HOUR_MS = 3_600_000;
/** A session ends this long after its last call (P62). */
export const IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after the sign-in, even in use (P62). */
export const ABSOLUTE_MS = 30 * 24 * HOUR_MS;
/** The life of a session opened by a link, where there are no passkeys (STAFF-04). */
export const LINK_SESSION_MS = 12 * HOUR_MS;
/** How many open sessions one person can have (P62). */
export const SESSIONS_MAX = 20;
/** Write `last_used_at` at most this often. */
const TOUCH_EVERY_MS = 60_000;

/** A secret of 256 random bits, and its hash for the database. */
export function makeSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

const cookieName = (config: Pick<Config, 'public_url'>, name: string) =>
  `${usesTls(config) ? '__Host-' : ''}backboard_${name}`;

/** Neither scripts nor other sites can use this cookie (P62). */
function setCookie(
  reply: FastifyReply,
  config: Pick<Config, 'public_url'>,
  name: string,
  value: string,
  maxAgeMs: number,
): void {
  const secure = usesTls(config) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName(config, name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${Math.round(maxAgeMs / 1000)}${secure}`,
  );
}

/**
 * A cookie's value; undefined if there are none or two. Over plain http, a page on another port can
 * set a second one, and staff would work in another session unnoticed.
 */
export function cookieOf(
  request: FastifyRequest,
  config: Pick<Config, 'public_url'>,
  name: 'staff' | 'challenge',
): string | undefined {
  const [value, ...others] = readCookies(request, cookieName(config, name));
  return others.length === 0 ? value : undefined;
}

/** Binds a challenge to this browser (P60). */
export function setChallengeCookie(
  reply: FastifyReply,
  config: Pick<Config, 'public_url'>,
  secret: string,
  lifeMs: number,
): void {
  setCookie(reply, config, 'challenge', secret, lifeMs);
}

/**
 * Opens a session with a new id and cookie. Ends the browser's earlier session (P62) and, beyond
 * SESSIONS_MAX, the person's longest-idle session. `passkey_id` is null for a link.
 */
export async function openStaffSession(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  trx: Database,
  [request, reply]: [FastifyRequest, FastifyReply],
  session: { staff_id: number; passkey_id: string | null; device: string; client: string },
): Promise<void> {
  const now = clock.now();
  const { secret, hash } = makeSecret();
  const lifeMs = session.passkey_id === null ? LINK_SESSION_MS : ABSOLUTE_MS;
  const old = cookieOf(request, config, 'staff');
  if (old !== undefined)
    await trx.deleteFrom('staff_sessions').where('hash', '=', hashOf(old)).execute();
  await sql`update staff set joined_at = ${now}
    where id = ${session.staff_id} and joined_at is null`.execute(trx);
  await trx
    .insertInto('staff_sessions')
    .values({
      ...session,
      id: randomUUID(),
      hash,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + lifeMs),
    })
    .execute();
  await sql`
    delete from staff_sessions where staff_id = ${session.staff_id} and id not in (
      select id from staff_sessions where staff_id = ${session.staff_id}
      order by last_used_at desc limit ${SESSIONS_MAX})`.execute(trx);
  setCookie(reply, config, 'staff', secret, lifeMs);
}

export function forgetCookie(reply: FastifyReply, config: Pick<Config, 'public_url'>): void {
  setCookie(reply, config, 'staff', '', 0);
}

/** SQL: an open session; `s` is `staff_sessions`, `p` is `staff`. */
export const sessionIsOpen = (now: Date) => sql`s.expires_at > ${now} and p.removed_at is null
  and s.last_used_at > ${new Date(now.getTime() - IDLE_MS)}`;

type Found = {
  session_id: string;
  last_used_at: Date;
  id: number;
  name: string;
  role: Role;
  everything: boolean;
  venues: number[];
  leagues: number[];
};

/** The person whose open session the cookie names (P62); undefined if there is none. */
export async function readStaffSession(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  request: FastifyRequest,
): Promise<StaffActor | undefined> {
  const secret = cookieOf(request, config, 'staff');
  if (secret === undefined || secret === '') return undefined;
  const now = clock.now();
  const { rows } = await sql<Found>`
    select s.id as session_id, s.last_used_at, p.id, p.name, p.role, p.everything,
      coalesce((select json_agg(venue_id) from staff_venues where staff_id = p.id), '[]') as venues,
      coalesce((select json_agg(league_id) from staff_leagues where staff_id = p.id), '[]') as leagues
    from staff_sessions s join staff p on p.id = s.staff_id
    where s.hash = ${hashOf(secret)} and ${sessionIsOpen(now)}`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const { last_used_at, ...actor } = found;
  if (now.getTime() - last_used_at.getTime() > TOUCH_EVERY_MS)
    await sql`update staff_sessions set last_used_at = ${now} where id = ${found.session_id}`.execute(
      db,
    );
  return { kind: 'staff', ...actor };
}

/** Which of the session ids belong to open sessions. */
export async function openAmongStaff(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.id from staff_sessions s join staff p on p.id = s.staff_id
    where s.id = any(${ids}::uuid[]) and ${sessionIsOpen(clock.now())}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Whether the session is open and the role unchanged. Locks the person's row: a removal waits for
 * this transaction (P62).
 */
export async function isOpen(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { session_id, role }: StaffActor,
): Promise<boolean> {
  const { rows } = await sql`
    select s.id from staff_sessions s join staff p on p.id = s.staff_id
    where s.id = ${session_id} and p.role = ${role} and ${sessionIsOpen(clock.now())}
    for share of p`.execute(db);
  return rows.length > 0;
}

/** Ends a person's sessions, or `only` one. Returns how many. */
export async function endStaffSessions(
  db: Database,
  staffId: number,
  only?: string,
): Promise<number> {
  let query = db.deleteFrom('staff_sessions').where('staff_id', '=', staffId);
  if (only !== undefined) query = query.where('id', '=', only);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Nightly: deletes expired sessions, challenges and links. */
export async function cleanUpStaff({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<Record<'sessions' | 'links' | 'challenges', number>> {
  const now = clock.now();
  const deleted = async (query: ReturnType<typeof sql>) =>
    Number((await query.execute(db)).numAffectedRows ?? 0n);
  return {
    sessions: await deleted(sql`delete from staff_sessions
      where expires_at <= ${now} or last_used_at <= ${new Date(now.getTime() - IDLE_MS)}`),
    links: await deleted(sql`delete from staff_links where expires_at <= ${now}`),
    challenges: await deleted(sql`delete from staff_challenges where expires_at <= ${now}`),
  };
}
