import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { WEEK_GAMES } from '#contract/counting.ts';
import { CALLS_BURST, CALLS_PER_SECOND, type Greeting } from '#contract/machines.ts';
import { gather } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { forbidden, Refusal, unauthorized } from '../errors.ts';
import { weekOf } from '../leagues/calendar.ts';
import { hashOf, keyIdOf } from './keys.ts';
import type { Machine } from './machines.ts';

const SECOND_MS = 1000;
/** How far in the future a machine's calls may be booked before it has to wait. */
const PACE_MS = SECOND_MS / CALLS_PER_SECOND;
const BURST_MS = (CALLS_BURST - 1) * PACE_MS;
/** No call books further ahead than this; where one has, the clock was set back (REL-15). */
const BOOKED_MAX_MS = BURST_MS + SECOND_MS;
/** A call writes when it was made at most this often. */
const SEEN_EVERY_MS = 60_000;

type KeyRow = Machine & {
  key_id: string;
  revoked: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_seen_at: Date | null;
  paced: boolean;
};

/** A key as a call brings it. */
type Key = { id: string; hash: Buffer };

/**
 * Finds keys and books their calls, in one statement (P31g). Every call takes its slot of a tenth of
 * a second after the one before, at most 50 of them ahead; the row's lock makes parallel calls,
 * also those of other processes, queue up for their slots. A refused call takes none.
 */
async function bookCalls(db: Database, keys: readonly Key[], now: Date): Promise<KeyRow[]> {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const { rows } = await sql<KeyRow>`
    with known as materialized (
      select k.id as key_id, m.id, m.name, m.venue_id, v.name as venue,
        m.revoked_at is not null as revoked, m.last_seen_at, k.expires_at, k.last_used_at
      from unnest(
        ${keys.map(({ id }) => id)}::text[], ${keys.map(({ hash }) => hash)}::bytea[]
      ) as r (id, hash)
      join machine_keys k on k.id = r.id and k.hash = r.hash
      join machines m on m.id = k.machine_id
      left join venues v on v.id = m.venue_id
    ), booked as (
      insert into machine_pace as p (machine_id, free_at)
      select id, ${later(PACE_MS)} from known
      where not revoked and (expires_at is null or expires_at > ${now})
      -- In one order everywhere, so that two groups of calls do not lock each other out.
      order by id
      on conflict (machine_id) do update
        set free_at = ${PACE_MS} * interval '1 millisecond' +
          case when p.free_at between ${now} and ${later(BURST_MS)} then p.free_at else ${now} end
        where p.free_at <= ${later(BURST_MS)} or p.free_at > ${later(BOOKED_MAX_MS)}
      returning machine_id
    )
    select known.*, exists (select from booked b where b.machine_id = known.id) as paced
    from known`.execute(db);
  return rows;
}

/** How many calls are booked by one statement at most, and how many such statements at once. */
const BOOK_MOST = 100;
const BOOK_AT_ONCE = 4;

/** Books calls, those that come together in one statement: 1.8 times as many calls a second. */
function callBooking({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return gather(
    async (keys: Key[]): Promise<(KeyRow | undefined)[]> => {
      const rows = await bookCalls(db, keys, clock.now());
      const found = new Map(rows.map((row) => [row.key_id, row]));
      return keys.map(({ id }) => found.get(id));
    },
    {
      most: BOOK_MOST,
      atOnce: BOOK_AT_ONCE,
      // Each call of a machine is a slot of its own. With two keys of one machine, while one takes
      // the other's place, the database refuses the group, and each call is booked by itself.
      keyOf: ({ id }) => id,
    },
  );
}

const machines = new WeakMap<FastifyRequest, Machine>();

/** Which machine calls; for routes of the machine scope. @throws Error on any other route. */
export function machineOf(request: FastifyRequest): Machine {
  const machine = machines.get(request);
  if (machine === undefined) throw new Error(`${request.url} is not in the machine scope`);
  return machine;
}

/**
 * The hook of the machine scope: finds out which machine calls, by `Authorization: Bearer bbm_…`.
 * Nothing is remembered between calls, so a revoked key fails on the next one.
 * @throws Refusal 401 no key, a wrong, mistyped or expired one; 403 a revoked machine; 429 faster
 * than 10 calls a second after a burst of 50 (P31g).
 */
export function authenticateMachine({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const book = callBooking({ db, clock });
  const noteSeen = seenNotes({ db });
  return async (request: FastifyRequest): Promise<void> => {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const keyId = keyIdOf(key);
    if (keyId === null) {
      log.warn({ event: 'machine_refused', reason: 'malformed' }, 'machine key');
      throw unauthorized('A machine key is needed: Authorization: Bearer bbm_…');
    }
    const row = await book({ id: keyId, hash: hashOf(key) });
    const now = clock.now();
    const refused = (reason: string) =>
      log.warn({ event: 'machine_refused', machine: row?.id, key: keyId, reason }, 'machine key');
    if (row === undefined) {
      refused('unknown');
      throw unauthorized('This machine key is not known.');
    }
    if (row.revoked) {
      refused('revoked');
      throw forbidden('This machine was taken out of service by the operator.');
    }
    if (row.expires_at !== null && row.expires_at <= now) {
      refused('replaced');
      throw unauthorized('This machine key was replaced by a new one.');
    }
    if (!row.paced) throw new Refusal(429, { detail: 'Too many calls: at most 10 a second.' }, 1);
    machines.set(request, { id: row.id, name: row.name, venue_id: row.venue_id, venue: row.venue });

    const stale = (at: Date | null) => at === null || now.getTime() - at.getTime() > SEEN_EVERY_MS;
    if (stale(row.last_seen_at) || stale(row.last_used_at))
      await noteSeen(seenNow(row, request.headers.date, now)).catch((err: unknown) => {
        // A note for the operator; the call itself must not fail for it.
        log.warn({ err, machine: row.id }, 'the machine could not be noted as seen');
      });
  };
}

/** The time of a `Date` header is whole seconds; half of one is the best guess at the rest. */
const HALF_SECOND_MS = 500;

/** When a machine and its key were last seen, and how far its clock was off if it said so. */
type Seen = { machine_id: number; key_id: string; at: Date; clock_error_ms: number | null };

function seenNow({ id, key_id }: KeyRow, date: string | undefined, now: Date): Seen {
  const time = date === undefined ? Number.NaN : Date.parse(date) + HALF_SECOND_MS;
  const clock_error_ms = Number.isNaN(time) ? null : Math.round(time - now.getTime());
  return { machine_id: id, key_id, at: now, clock_error_ms };
}

/**
 * Keeps when machines were seen, those that call together in one statement. A machine that somebody
 * else is changing is passed over: its next call notes it.
 */
function seenNotes({ db }: Pick<Deps, 'db'>) {
  return gather(
    async (seen: Seen[]): Promise<null[]> => {
      await sql`
        with r as materialized (
          select * from ${recordset(
            seen,
            'machine_id integer, key_id text, at timestamptz, clock_error_ms integer',
          )}
        ), free as materialized (
          select id from machines where id in (select machine_id from r)
          order by id for no key update skip locked
        ), used as (
          update machine_keys k set last_used_at = r.at
          from r join free on free.id = r.machine_id where k.id = r.key_id
        )
        update machines m
        set last_seen_at = r.at, clock_error_ms = coalesce(r.clock_error_ms, m.clock_error_ms)
        from r join free on free.id = r.machine_id where m.id = r.machine_id`.execute(db);
      return seen.map(() => null);
    },
    { most: BOOK_MOST, atOnce: 1, keyOf: ({ machine_id }) => machine_id },
  );
}

/**
 * What a machine greets a player with after scanning the code; null for a code that no player has,
 * and for one whose account is not set up yet: without a birth date or a username. How somebody signs
 * in is no matter of a machine's: who has lost the way in still plays. Never the e-mail address
 * (contract 3, P30f).
 */
export async function greet(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  uuid: string,
): Promise<Omit<Greeting, 'server_time'> | null> {
  const { rows } = await sql<{
    id: number;
    username: string;
    avatar_color: string;
    jersey_number: string;
    league_mode_enabled: boolean;
    team: string | null;
    timezone: string | null;
    starts_on: string | null;
  }>`
    select p.id, p.username, p.avatar_color, p.jersey_number, p.league_mode_enabled,
      t.name as team, l.timezone, l.starts_on
    from players p left join teams t on t.id = p.team_id left join leagues l on l.id = t.league_id
    where p.uuid = ${uuid} and p.username is not null and p.date_of_birth is not null`.execute(db);
  const player = rows[0];
  if (player === undefined) return null;
  const { username, avatar_color, jersey_number, league_mode_enabled, team } = player;
  return {
    username,
    avatar_color,
    jersey_number,
    team: team === null ? null : { name: team },
    league_mode_enabled,
    league_games_left: await gamesLeft(db, player, clock.now()),
  };
}

/** How many more games of this week can count: none without a team in a league that has begun. */
async function gamesLeft(
  db: Database,
  { id, timezone, starts_on }: { id: number; timezone: string | null; starts_on: string | null },
  now: Date,
): Promise<number> {
  if (timezone === null || starts_on === null) return 0;
  const week = weekOf(now, timezone);
  if (week < starts_on) return 0;
  const { rows } = await sql<{ played: number }>`
    select coalesce(sum(games_played), 0) as played from league_weeks
    where player_id = ${id} and week = ${week}`.execute(db);
  return WEEK_GAMES - (rows[0]?.played ?? 0);
}
