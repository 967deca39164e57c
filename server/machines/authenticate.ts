import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { CALLS_BURST, CALLS_PER_SECOND } from '#contract/rules/machines.ts';
import { batched } from '../db/batch.ts';
import type { Database } from '../db/database.ts';
import { notifyConsole } from '../db/notifications.ts';
import { recordset } from '../db/recordset.ts';
import type { Deps } from '../deps.ts';
import { Refusal, unauthorized } from '../errors.ts';
import { markVenue } from '../http/limits.ts';
import { logSecurity, setActor } from '../http/security-log.ts';
import { hashOf } from '../keys.ts';
import { keyIdOf } from './keys.ts';
import { type Machine, outOfService } from './machines.ts';
import { CLOCK_MS, SILENT_MS } from './state.ts';
import { REFUSED_EVERY_MS, storeRefused } from './status.ts';

const SECOND_MS = 1000;
const SLOT_MS = SECOND_MS / CALLS_PER_SECOND;
/** How far ahead a call's slot may begin. */
const BURST_MS = (CALLS_BURST - 1) * SLOT_MS;
/** If a slot is further ahead than this, the clock was set back (REL-15). */
const AHEAD_MAX_MS = BURST_MS + SECOND_MS;
const SEEN_EVERY_MS = 60_000;

type KeyRow = Machine & {
  key_id: string;
  revoked: boolean;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_seen_at: Date | null;
  clock_error_ms: number | null;
  refused_at: Date | null;
  within_rate: boolean;
};

type Key = { id: string; hash: Buffer };

/**
 * Looks up keys and takes a slot for each call (P31g), in one statement. A machine's slots begin at
 * most BURST_MS from now; a row lock serialises all processes. Returns a row for each known key;
 * `within_rate` is false without a slot.
 */
async function takeSlots(db: Database, keys: readonly Key[], now: Date): Promise<KeyRow[]> {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const { rows } = await sql<KeyRow>`
    with known as materialized (
      select k.id as key_id, m.id, m.name, m.venue_id, v.name as venue,
        m.revoked_at is not null as revoked, m.last_seen_at, m.clock_error_ms, k.expires_at,
        k.last_used_at,
        (select s.refused_at from machine_status s where s.machine_id = m.id) as refused_at
      from unnest(
        ${keys.map(({ id }) => id)}::text[], ${keys.map(({ hash }) => hash)}::bytea[]
      ) as r (id, hash)
      join machine_keys k on k.id = r.id and k.hash = r.hash
      join machines m on m.id = k.machine_id
      left join venues v on v.id = m.venue_id
    ), taken as (
      insert into machine_pace as p (machine_id, free_at)
      select id, ${later(SLOT_MS)} from known
      where not revoked and (expires_at is null or expires_at > ${now})
      -- Lock in one order, so that two batches do not deadlock.
      order by id
      on conflict (machine_id) do update
        set free_at = ${SLOT_MS} * interval '1 millisecond' +
          case when p.free_at between ${now} and ${later(BURST_MS)} then p.free_at else ${now} end
        where p.free_at <= ${later(BURST_MS)} or p.free_at > ${later(AHEAD_MAX_MS)}
      returning machine_id
    )
    select known.*, exists (select from taken t where t.machine_id = known.id) as within_rate
    from known`.execute(db);
  return rows;
}

const BATCH_MAX = 100;
const CONCURRENCY = 4;

/**
 * `takeSlots` in batches: 1.8 times as many games a second (“Calls of machines are booked together”
 * in bench/results.md).
 */
function slotTaker({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return batched(
    async (keys: Key[]): Promise<(KeyRow | undefined)[]> => {
      const rows = await takeSlots(db, keys, clock.now());
      const found = new Map(rows.map((row) => [row.key_id, row]));
      return keys.map(({ id }) => found.get(id));
    },
    {
      max: BATCH_MAX,
      concurrency: CONCURRENCY,
      // A batch may have each key only once, because each call needs its own slot. PostgreSQL
      // refuses a batch with both keys of a machine, and `batched` retries each call alone.
      keyOf: ({ id }) => id,
    },
  );
}

const machines = new WeakMap<FastifyRequest, Machine>();

/** @throws Error outside the machine scope. */
export function machineOf(request: FastifyRequest): Machine {
  const machine = machines.get(request);
  if (machine === undefined) throw new Error(`${request.url} is not in the machine scope`);
  return machine;
}

/**
 * The hook of the machine scope: `Authorization: Bearer bbm_…`. Keys are not cached: a revoked one
 * fails on the next call.
 * @throws Refusal 401 for a missing, unknown, mistyped or expired key; 403 for a revoked machine;
 * 429 for too many calls (P31g).
 */
export function authenticateMachine({
  config,
  db,
  anonymous,
  clock,
  log,
}: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock' | 'log'>) {
  const takeSlot = slotTaker({ db, clock });
  // Use the pool of anonymous callers, so that made-up keys cannot starve machines and players
  // (P17).
  const takeSlotOfStranger = slotTaker({ db: anonymous, clock });
  const proven = new Set<string>();
  const storeSeen = seenStore({ db });
  const markVenueOf = venueMarker({ config, db, clock, log });
  return async (request: FastifyRequest): Promise<void> => {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const keyId = keyIdOf(key);
    if (keyId === null) {
      logSecurity(request, 'machine_refused', { actor: 'visitor', reason: 'malformed' });
      throw unauthorized('A machine key is needed: Authorization: Bearer bbm_…');
    }
    const hash = hashOf(key);
    const proof = hash.toString('base64url');
    const row = await (proven.has(proof) ? takeSlot : takeSlotOfStranger)({ id: keyId, hash });
    const now = clock.now();
    const refused = async (reason: string) => {
      proven.delete(proof);
      logSecurity(request, 'machine_refused', {
        actor: row === undefined ? 'visitor' : 'machine',
        ...(row === undefined ? {} : { machine: row.id }),
        key: keyId,
        reason,
      });
      // An unknown key has no machine (P31i).
      if (row === undefined || !isOlder(row.refused_at, REFUSED_EVERY_MS, now)) return;
      await storeRefused(db, row.id, now).catch((err: unknown) => {
        log.warn({ err, machine: row.id }, 'the refused call could not be noted');
      });
    };
    if (row === undefined) {
      await refused('unknown');
      throw unauthorized('This machine key is not known.');
    }
    if (row.revoked) {
      await refused('revoked');
      throw outOfService();
    }
    if (row.expires_at !== null && row.expires_at <= now) {
      await refused('replaced');
      throw unauthorized('This machine key was replaced by a new one.');
    }
    proven.add(proof);
    setActor(request, { actor: 'machine', machine: row.id });
    if (!row.within_rate)
      throw new Refusal(429, { detail: 'Too many calls: at most 10 a second.' }, 1, 'machine');
    await markVenueOf(request.ip);
    machines.set(request, { id: row.id, name: row.name, venue_id: row.venue_id, venue: row.venue });

    const stale = (at: Date | null) => isOlder(at, SEEN_EVERY_MS, now);
    const seen = seenNow(row, request.headers.date, now);
    if (stale(row.last_seen_at) || stale(row.last_used_at) || isClockChanged(row, seen))
      await storeSeen(seen).catch((err: unknown) => {
        // Only the operator reads this time, so the call goes on.
        log.warn({ err, machine: row.id }, 'the machine could not be noted as seen');
      });
  };
}

const VENUE_EVERY_MS = 3_600_000;
const VENUES_MAX = 10_000;

/**
 * Marks the networks of machines as venues' networks (P79b), each at most once an hour. If that
 * fails, the machine's call is still served.
 */
function venueMarker(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>) {
  const marked = new Map<string, Date>();
  return async (ip: string): Promise<void> => {
    const now = deps.clock.now();
    if (!isOlder(marked.get(ip) ?? null, VENUE_EVERY_MS, now)) return;
    if (marked.size >= VENUES_MAX) marked.clear();
    marked.set(ip, now);
    await markVenue(deps, ip).catch((err: unknown) => {
      deps.log.warn({ err }, 'the network of a machine could not be noted');
    });
  };
}

/** Also true if `at` is far ahead of `now`, because the clock was set back (REL-15). */
function isOlder(at: Date | null, ms: number, now: Date): boolean {
  return at === null || Math.abs(now.getTime() - at.getTime()) > ms;
}

/** A `Date` header has whole seconds, so it is half a second early on average. */
const HALF_SECOND_MS = 500;

/** `clock_error_ms`: null without a usable `Date` header. */
type Seen = { machine_id: number; key_id: string; at: Date; clock_error_ms: number | null };

function seenNow({ id, key_id }: KeyRow, date: string | undefined, now: Date): Seen {
  const time = date === undefined ? Number.NaN : Date.parse(date) + HALF_SECOND_MS;
  const error = Math.round(time - now.getTime());
  // Store an error of any size (P31h). It is NaN if JavaScript cannot represent the date.
  const clock_error_ms = Number.isNaN(error) ? null : error;
  return { machine_id: id, key_id, at: now, clock_error_ms };
}

/**
 * Whether the error of the machine's clock has crossed the limit of MACH-11, in either direction.
 */
function isClockChanged(row: KeyRow, { clock_error_ms }: Seen): boolean {
  const isOff = (error: number | null) => Math.abs(error ?? 0) > CLOCK_MS;
  return clock_error_ms !== null && isOff(clock_error_ms) !== isOff(row.clock_error_ms);
}

/**
 * The returned function works in batches. It stores the time of a machine's last call, and gaps
 * between calls (MACH-13). It notifies the console after a gap, a refused call, a key's first call
 * or a change of the clock's state, because they change the machine's page. It skips a locked
 * machine, whose next call tries again.
 */
function seenStore({ db }: Pick<Deps, 'db'>) {
  return batched(
    async (seen: Seen[]): Promise<null[]> => {
      const { rows } = await sql<{ back: boolean }>`
        with r as materialized (
          select * from ${recordset(
            seen,
            'machine_id integer, key_id text, at timestamptz, clock_error_ms bigint',
          )}
        ), free as materialized (
          select id, last_seen_at, clock_error_ms from machines where id in (select machine_id from r)
          order by id for no key update skip locked
        ), away as (
          insert into machine_away (machine_id, gone_at, back_at)
          select free.id, gone_at, r.at
          from free join r on r.machine_id = free.id
          left join machine_status s on s.machine_id = free.id
          cross join lateral greatest(free.last_seen_at, s.reported_at, s.greeted_at) as gone_at
          where gone_at <= r.at - ${SILENT_MS} * interval '1 millisecond'
          on conflict do nothing
          returning machine_id
        ), used as (
          update machine_keys k set last_used_at = r.at
          from r join free on free.id = r.machine_id where k.id = r.key_id
        )
        update machines m
        set last_seen_at = r.at, clock_error_ms = coalesce(r.clock_error_ms, m.clock_error_ms)
        from r join free on free.id = r.machine_id where m.id = r.machine_id
        returning exists (select from away where away.machine_id = m.id) or exists (
          select from free join machine_status s on s.machine_id = free.id
          where free.id = m.id and s.refused_at > free.last_seen_at
        ) or exists (
          select from machine_keys k where k.id = r.key_id and k.last_used_at is null
        ) or (abs(coalesce(m.clock_error_ms, 0)) > ${CLOCK_MS})
          <> (abs(coalesce(free.clock_error_ms, 0)) > ${CLOCK_MS}) as back`.execute(db);
      if (rows.some(({ back }) => back)) await notifyConsole(db, ['machines']);
      return seen.map(() => null);
    },
    { max: BATCH_MAX, concurrency: 1, keyOf: ({ machine_id }) => machine_id },
  );
}
