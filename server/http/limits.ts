import { isIPv4 } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { Refusal, tooMany, unavailable } from '../errors.ts';
import { hmac, keysFor } from '../keys.ts';
import {
  type LimitName,
  type NetworkLimitName,
  RATE_LIMITS,
  VENUE_FACTOR,
  VENUE_S,
  WIDE_FACTOR,
} from '../rate-limits.ts';
import { exhaustedLimits } from './exhausted.ts';

const WORK: LimitName = 'work';

/** A limit for one subject. */
export type Limit = {
  name: string;
  subject: string;
  max: number;
  seconds: number;
  remember?: boolean;
  grows?: boolean;
  /**
   * The network, if the limit is one of networks. A venue's limit is higher (P79b), and a proof of
   * work passes the limit (P79c).
   */
  network?: string;
};
/**
 * `load`: how many times over the limit a network's use is; the work grows with it (P79c).
 * `cached`: refused from memory, without counting anything.
 */
export type UsedUp = { name: string; wait_s: number; load: number; cached?: true };

export const limitOf = (name: LimitName, subject: string): Limit => ({
  name,
  subject,
  ...RATE_LIMITS[name],
});

/** A 429 for a daily limit. `what` is what a player may do in a day: “report 10 games”. */
export function enoughToday(what: string, { name, wait_s }: UsedUp): Refusal {
  const hours = Math.ceil(wait_s / 3_600);
  const wait = hours === 1 ? '1 hour' : `${hours} hours`;
  return new Refusal(429, { detail: `You can ${what} a day. Try again in ${wait}.` }, wait_s, name);
}

type StoreDeps = { config: Pick<Config, 'secret_keys'>; db: Database };
export type LimitDeps = StoreDeps & { clock: Clock; log: Pick<FastifyBaseLogger, 'error'> };

/** The key of the row, hashed so that it reveals no address or network (P17). */
function keyOf(
  { config }: Pick<StoreDeps, 'config'>,
  { name, subject }: Pick<Limit, 'name' | 'subject'>,
): string {
  return `${name}:${hmac(keysFor(config, 'limits')[0], name, subject).toString('base64url')}`;
}

const CACHED_MAX = 10_000;
type Exhausted = ReturnType<typeof exhaustedLimits>;
const exhaustedBy = new WeakMap<object, Exhausted>();

function exhaustedOf(config: object): Exhausted {
  const known = exhaustedBy.get(config) ?? exhaustedLimits(CACHED_MAX);
  exhaustedBy.set(config, known);
  return known;
}

/** Whole seconds until a window ends: at least 1, at most the window's length (REL-15). */
function waitFor(resets_at: Date, now: Date, seconds: number): number {
  const wait = Math.ceil((resets_at.getTime() - now.getTime()) / 1000);
  return Math.min(Math.max(wait, 1), seconds);
}

const venueKey = (deps: Pick<StoreDeps, 'config'>, network: string) =>
  keyOf(deps, { name: 'venue', subject: network });

/**
 * Counts a use of each limit, in one statement, before the protected work: no burst exceeds `max`
 * (P17). Stops after the first stage with an exhausted limit. Pass a caller's own limits in earlier
 * stages than shared ones, so that refused calls use up no shared limit. With `paid`, a proof of
 * work (P79c), the limits of networks count the use and refuse nobody.
 * @returns the exhausted limits of that stage; if there are none, the work is allowed
 * @throws Refusal 503 when the database is unavailable
 */
async function count(deps: LimitDeps, stages: Limit[][], paid: boolean): Promise<UsedUp[]> {
  const now = deps.clock.now();
  const asked = stages
    .flatMap((limits, stage) =>
      limits.map((limit) => ({
        ...limit,
        stage,
        key: keyOf(deps, limit),
        resets_at: new Date(now.getTime() + limit.seconds * 1000),
        free: paid && limit.network !== undefined,
      })),
    )
    // Every statement locks rows in this order, to prevent deadlocks.
    .sort((a, b) => a.stage - b.stage || (a.key < b.key ? -1 : 1));
  const known = exhaustedOf(deps.config);
  const refused = asked.flatMap<UsedUp>(({ free, remember, key, resets_at, name, seconds }) => {
    const cached = remember && !free ? known.get(key) : undefined;
    // Ignore a cached window that ends later than a new one: the clock was set back (REL-15).
    if (cached === undefined || cached.end <= now || cached.end > resets_at) return [];
    return [{ name, wait_s: waitFor(cached.end, now, seconds), load: cached.load, cached: true }];
  });
  // A network's requests beyond a cached limit cost no statement (P17).
  if (refused.length > 0) return refused;
  // If a window ends later than a new one, it began before the clock was set back (REL-15).
  // Processes' clocks differ by less than a minute.
  const isOver = sql`(l.resets_at <= ${now}
    or l.resets_at > excluded.resets_at + interval '1 minute')`;
  const counted = stages.map((_, stage) => {
    const earlier = stages.slice(0, stage).map((_, at) => sql`select * from ${sql.ref(`s${at}`)}`);
    const hasRoom = sql`not exists (
      select 1 from (${sql.join(earlier, sql` union all `)}) as e join asked using (key)
      where e.points > asked.max and not asked.free)`;
    return sql`${sql.ref(`s${stage}`)} as (
      insert into limits as l (key, points, resets_at)
      select key, 1, resets_at from asked
      where stage = ${sql.lit(stage)} and ${stage === 0 ? sql`true` : hasRoom}
      on conflict (key) do update set
        points = case when ${isOver} then 1 else l.points + 1 end,
        resets_at = case when ${isOver} then excluded.resets_at else l.resets_at end
      returning key, points, resets_at)`;
  });
  const all = stages.map((_, stage) => sql`select * from ${sql.ref(`s${stage}`)}`);
  const { rows } = await sql<{ key: string; resets_at: Date; load: number }>`
    with asked as materialized (
      select stage, key, resets_at, free, max * case when exists (
        select from limits v where v.key = t.venue and v.resets_at > ${now}
      ) then ${sql.lit(VENUE_FACTOR)} else 1 end as max
      from unnest(
        ${asked.map(({ stage }) => stage)}::int[], ${asked.map(({ key }) => key)}::text[],
        ${asked.map(({ max }) => max)}::int[],
        ${asked.map(({ resets_at }) => resets_at)}::timestamptz[],
        ${asked.map(({ free }) => free)}::boolean[],
        ${asked.map(({ network }) => (network === undefined ? null : venueKey(deps, network)))}::text[]
      ) as t (stage, key, max, resets_at, free, venue)
    ), ${sql.join(counted)}
    select c.key, c.resets_at, c.points::float8 / asked.max as load
    from (${sql.join(all, sql` union all `)}) as c
    join asked using (key) where c.points > asked.max`
    .execute(deps.db)
    .catch((err: unknown) => {
      deps.log.error({ err }, 'rate limits cannot be counted');
      throw unavailable();
    });
  return asked.flatMap(({ key, name, seconds, remember, grows, free }) => {
    const row = rows.find((row) => row.key === key);
    if (row === undefined) return [];
    const load = grows ? row.load : 1;
    if (remember) known.add(key, { end: row.resets_at, load });
    return free ? [] : [{ name, wait_s: waitFor(row.resets_at, now, seconds), load }];
  });
}

/** Counts a use of each limit, in stages, as `count` says. */
export const charge = (deps: LimitDeps, ...stages: Limit[][]): Promise<UsedUp[]> =>
  count(deps, stages, false);

/** Counts like `charge`, for a call with a proof of work. This uses up the proof (P79c). */
export const chargePaid = (
  deps: LimitDeps,
  salt: string,
  ...stages: Limit[][]
): Promise<UsedUp[]> => count(deps, [[limitOf(WORK, salt)], ...stages], true);

/** How many uses a limit has had in the current window, and how long the window still lasts. */
export async function usesOf(
  deps: StoreDeps & { clock: Clock },
  limit: Limit,
): Promise<{ uses: number; wait_s: number }> {
  const now = deps.clock.now();
  const row = await deps.db
    .selectFrom('limits')
    .select(['points', 'resets_at'])
    .where('key', '=', keyOf(deps, limit))
    .where('resets_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) return { uses: 0, wait_s: 0 };
  return { uses: row.points, wait_s: waitFor(row.resets_at, now, limit.seconds) };
}

/** Marks the network of `ip` as a venue's for a day (P79b). */
export async function markVenue(deps: StoreDeps & { clock: Clock }, ip: string): Promise<void> {
  const resets_at = new Date(deps.clock.now().getTime() + VENUE_S * 1000);
  await deps.db
    .insertInto('limits')
    .values({ key: venueKey(deps, networkOf(ip)), points: 1, resets_at })
    .onConflict((clash) => clash.column('key').doUpdateSet({ resets_at }))
    .execute();
}

/** The 429 with the longest wait (P18, P42). */
export function tooManyOf(used: readonly UsedUp[]): Refusal {
  const longest = used.reduce((a, b) => (b.wait_s > a.wait_s ? b : a));
  return tooMany(longest.wait_s, longest.name);
}

/**
 * Counts like `charge`.
 * @throws Refusal 429 with the longest wait (P18), or 503.
 */
export async function limit(deps: LimitDeps, ...stages: Limit[][]): Promise<void> {
  const used = await charge(deps, ...stages);
  if (used.length > 0) throw tooManyOf(used);
}

/**
 * Resets `limits` after a success. Those that are also in `shared` only get one use back. Pass
 * `limits` in the order of `charge`.
 */
export async function clear(deps: StoreDeps, limits: Limit[], shared: Limit[] = []): Promise<void> {
  const stages = [...new Set(limits.map(({ name }) => name))];
  const keys = limits
    .map((limit) => ({ stage: stages.indexOf(limit.name), key: keyOf(deps, limit) }))
    // Lock rows in the order of `charge`.
    .sort((a, b) => a.stage - b.stage || (a.key < b.key ? -1 : 1))
    .map(({ key }) => key);
  const kept = shared.map((limit) => keyOf(deps, limit));
  const known = exhaustedOf(deps.config);
  for (const key of keys) known.forget(key);
  await sql`
    with locked as materialized (
      select l.key from unnest(${keys}::text[]) with ordinality as k (key, at) join limits l using (key)
      order by k.at for update of l
    ), taken_back as (
      update limits set points = points - 1
      where key in (select key from locked) and key = any(${kept}::text[]) and points > 0
    )
    delete from limits where key in (select key from locked) and key <> all(${kept}::text[])`.execute(
    deps.db,
  );
}

/** Gives back one use of each limit. Pass the limits in the order of `charge`. */
export function giveBack(deps: StoreDeps, limits: Limit[]): Promise<void> {
  return clear(deps, limits, limits);
}

/**
 * Gives back what a refused call has counted in earlier stages. If a cached limit or a used proof
 * of work refused the call, nothing was counted (P79c).
 */
export async function refund(
  deps: StoreDeps,
  used: readonly UsedUp[],
  limits: Limit[],
): Promise<void> {
  const counted = !used.some(({ name, cached }) => cached || name === WORK);
  if (counted) await giveBack(deps, limits);
}

/** Removes the port that some proxies add: `192.0.2.1:5678`, `[2001:db8::1]:5678`. */
function withoutPort(ip: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(ip) ?? [];
  return v4 ?? v6 ?? ip;
}

function groupsOf(ip: string): string[] | null {
  // URL normalises the address. A zone (%eth0) is not part of an address.
  const url = URL.parse(`http://[${ip.split('%')[0]}]`);
  if (url === null) return null;
  const [head = '', tail] = url.hostname.slice(1, -1).split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right];
}

/**
 * The network of an address (P17): for IPv4 the address itself, for IPv6 the /64, which belongs to
 * one customer. An IPv4-mapped address counts as IPv4. Other text is 'unknown'.
 */
export function networkOf(ip: string): string {
  const address = withoutPort(ip);
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  if (groups === null) return 'unknown';
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff')
    return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

/** The network that one sender may hold: for IPv4 the address, for IPv6 the /48 (P15, P17). */
export function wideNetworkOf(ip: string): string {
  const network = networkOf(ip);
  return network.endsWith('/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network;
}

/** The network for the log (P42): IPv4's /24, IPv6's /48, otherwise 'unknown'. */
export function coarseNetworkOf(ip: string): string {
  const network = wideNetworkOf(ip);
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network;
}

/** A limit for the network of `ip`, and for IPv6's /48 (P17). */
export function networkLimits(ip: string, name: NetworkLimitName): Limit[] {
  const network = networkOf(ip);
  const near: Limit = { ...limitOf(name, network), network };
  const wide = wideNetworkOf(ip);
  return wide === network
    ? [near]
    : [near, { ...near, subject: wide, max: WIDE_FACTOR * near.max }];
}
