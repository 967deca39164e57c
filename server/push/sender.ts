import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { sql } from 'kysely';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import type { Deps } from '../deps.ts';
import { isDatabaseAway } from '../errors.ts';
import { unseal } from '../keys.ts';
import { authOf, endpointOf, pointOf, publicLookup } from './address.ts';
import type { Subscription } from './devices.ts';
import { authorizer } from './keys.ts';
import { afterQuiet } from './local-time.ts';
import { encryptFor, messageOf, tagOf } from './message.ts';
import { planOne, type StoredNotice, type Tellers, tellerOf, wants } from './planner.ts';

/* Sends planned messages to the push services (job 2 of PUSH-47, PUSH-49, P78). */

const HOST_CONNECTIONS = 4;
const CONNECTIONS = 16;
const TIMEOUT_MS = 10_000;
/**
 * A message without an answer for this long is sent again, because its process is dead (PUSH-48).
 */
export const LEASE_MS = 30_000;
const ANSWER_BYTES = 4 * 1024;
const TTL_LEAST_S = 60;
const RETRY_FIRST_MS = 30_000;
const RETRY_MAX_MS = 30 * 60_000;
/** While a push service fails, one message tries it this often (PUSH-49). */
const PROBE_MS = 60_000;
const RETRY_AFTER_MAX_MS = 3_600_000;
/** A refused token is logged at most this often for each host. */
const REFUSED_EVERY_MS = 3_600_000;
const POLL_MS = 1_000;
/** How long a shutdown waits for messages in transit (P41). */
const STOP_MS = 5_000;
/** The goal is 3 seconds. Messages that wait for a push service can take hours (PUSH-51). */
const DELIVERY_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 1800, 7200];
/** How many notices a process plans before it looks for messages to send. */
const PLANNED_AT_ONCE = 50;

type SenderDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'metrics'>;

/** How to reach push services; tests have their own. */
export type PushEdge = { lookup: LookupFunction; port: number; ca?: string };
const INTERNET: PushEdge = { lookup: publicLookup, port: 443 };

type Claimed = {
  notice_id: string;
  device_id: number;
  host: string;
  tries: number;
  sealed: string;
  key_id: number;
  locale: string;
  zone: string;
  /** Of the device seen last (PUSH-10). */
  quiet_zone: string;
  /** The time of the cause, or the earliest time to send the notice. */
  began_at: Date;
} & Omit<StoredNotice, 'id'>;

type Response = { status: number; retryAfter: string | undefined };

/** Posts a message, without redirects. Reads at most 4 KiB of the answer. */
function post(
  agent: Agent,
  edge: PushEdge,
  url: URL,
  headers: Record<string, string>,
  body: Buffer,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        lookup: edge.lookup,
        host: url.hostname,
        servername: url.hostname,
        port: edge.port,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { host: url.host, ...headers, 'content-length': body.length },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(edge.ca === undefined ? {} : { ca: edge.ca }),
      },
      (answer) => {
        const done = () =>
          resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
        let read = 0;
        answer.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read <= ANSWER_BYTES) return;
          done();
          answer.destroy();
        });
        answer.on('end', done);
        // The status is known, so an error in the body does not matter.
        answer.on('error', done);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/**
 * How long a `Retry-After`, in seconds or as a date, asks to wait (RFC 9110); null if it is
 * neither.
 */
export function retryAfterMs(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS);
}

const backoffMs = (tries: number) =>
  Math.min(RETRY_FIRST_MS * 2 ** tries, RETRY_MAX_MS) * (0.75 + Math.random() / 4);

export type PushSender = {
  work(): void;
  /** Stops after the messages in transit (P41). Those not yet sent stay. */
  stop(): Promise<void>;
};

/**
 * Plans and sends notices, in any number of processes (PUSH-47). The rows are the queue, so a
 * killed process loses no message. If it dies after an answer and before it stores the answer, the
 * message is sent again with the same id and tag (PUSH-48).
 */
export function openPush(
  deps: SenderDeps,
  tellers: Tellers,
  edge: PushEdge = INTERNET,
): PushSender {
  const { db, clock, log, config } = deps;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: HOST_CONNECTIONS,
    maxTotalSockets: CONNECTIONS,
  });
  const authorize = authorizer(deps);
  const registers = [deps.metrics.registry];
  const outcomes = new Counter({
    name: 'backboard_push_total',
    help: 'Messages to push services, by kind and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const delivery = new Histogram({
    name: 'backboard_push_seconds',
    help: 'From a cause, or the first moment a notice may go, to the 2xx of the push service.',
    buckets: DELIVERY_BUCKETS_S,
    registers,
  });
  new Gauge({
    name: 'backboard_push_waiting',
    help: 'Messages that wait for a push service.',
    registers,
    aggregator: 'max',
    async collect() {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from push_sends`
        .execute(db)
        .catch(() => ({ rows: [] }));
      this.remove();
      if (rows[0]) this.set(rows[0].waiting);
    },
  });
  const inFlight = new Map<string, number>();
  const sending = new Set<Promise<void>>();
  const refusedAt = new Map<string, number>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;
  let again = false;

  /**
   * Takes due messages, at most as many as there are free connections, overall and for each host.
   */
  async function claim(): Promise<Claimed[]> {
    const free = CONNECTIONS - sending.size;
    if (free <= 0) return [];
    const now = clock.now();
    const busy = JSON.stringify(Object.fromEntries(inFlight));
    const { rows } = await sql<Claimed>`
      with due as (
        select s.notice_id, s.device_id from (
          select distinct host from push_sends where due_at <= ${now}
        ) h cross join lateral (
          select notice_id, device_id from push_sends
          where host = h.host and due_at <= ${now}
          order by due_at
          limit ${HOST_CONNECTIONS} - coalesce((${busy}::json ->> h.host)::integer, 0)
          for update skip locked
        ) s limit ${free}
      )
      update push_sends s set due_at = ${new Date(now.getTime() + LEASE_MS)}, tries = s.tries + 1,
        retrying = false
      from due, push_notices n, push_devices d
      where s.notice_id = due.notice_id and s.device_id = due.device_id
        and n.id = s.notice_id and d.id = s.device_id
      returning s.notice_id, s.device_id, s.host, s.tries, d.sealed, d.key_id, d.locale, d.zone,
        (select zone from push_devices where player_id = n.player_id
          order by seen_at desc, id desc limit 1) as quiet_zone,
        n.player_id, n.kind, n.subject, n.data, n.worth_until,
        greatest(n.caused_at, n.due_at) as began_at`.execute(db);
    return rows;
  }

  const remove = ({ notice_id, device_id }: Claimed) =>
    db
      .deleteFrom('push_sends')
      .where('notice_id', '=', notice_id)
      .where('device_id', '=', device_id)
      .execute();

  const endDevice = ({ device_id }: Claimed) =>
    db.deleteFrom('push_devices').where('id', '=', device_id).execute();

  const setWorking = ({ device_id }: Claimed) =>
    sql`update push_devices set failures = 0, failing_since = null
      where id = ${device_id} and failures > 0`.execute(db);

  /** `status`: what the service answered; null without an answer. */
  const setFailed = ({ device_id }: Claimed, status: number | null) => {
    const now = clock.now();
    return sql`
      update push_devices set failures = failures + 1,
        failing_since = coalesce(failing_since, ${now}), failed_at = ${now},
        failed_status = ${status}
      where id = ${device_id}`.execute(db);
  };

  /**
   * Sends the message again at `dueAt`, unless it is out of date by then.
   * @param dueAt the time that the service gave; by default after a growing wait
   */
  async function retry(one: Claimed, status: number | null, dueAt?: Date): Promise<string> {
    await setFailed(one, status);
    const now = clock.now().getTime();
    const next = dueAt ?? new Date(now + backoffMs(one.tries - 1));
    if (next >= one.worth_until) {
      await remove(one);
      return 'expired';
    }
    const probe = new Date(Math.min(next.getTime(), now + PROBE_MS));
    await sql`
      update push_sends set retrying = ${dueAt === undefined}, due_at = case
        when ${dueAt !== undefined} or exists (select from push_sends o
          where o.host = ${one.host} and o.retrying and o.due_at <= ${probe})
        then ${next}::timestamptz else ${probe}::timestamptz end
      where notice_id = ${one.notice_id} and device_id = ${one.device_id}`.execute(db);
    return 'retry';
  }

  /** Sends the message at `dueAt`, after the quiet hours, if it is still of use by then. */
  async function postpone(one: Claimed, dueAt: Date): Promise<string> {
    if (dueAt >= one.worth_until) {
      await remove(one);
      return 'expired';
    }
    await sql`
      update push_sends set due_at = ${dueAt}, tries = tries - 1
      where notice_id = ${one.notice_id} and device_id = ${one.device_id}`.execute(db);
    return 'postponed';
  }

  /** Makes all failed messages of a push service due, because the service works again. */
  const release = ({ host }: Claimed) =>
    sql`update push_sends set due_at = ${clock.now()} where host = ${host} and retrying`.execute(
      db,
    );

  function logRefused(host: string, status: number): void {
    const now = performance.now();
    if (now - (refusedAt.get(host) ?? Number.NEGATIVE_INFINITY) < REFUSED_EVERY_MS) return;
    refusedAt.set(host, now);
    log.error({ host, status }, 'a push service refuses the token of this server');
  }

  /** Stores the outcome of a message after an answer (PUSH-49). */
  async function settle(one: Claimed, { status, retryAfter }: Response): Promise<string> {
    if (status >= 200 && status < 300) {
      // At least 0, because another process wrote `began_at` by its own clock.
      delivery.observe(Math.max(0, clock.now().getTime() - one.began_at.getTime()) / 1000);
      await remove(one);
      await setWorking(one);
      if (one.tries > 1) await release(one);
      return 'sent';
    }
    if (status === 404 || status === 410) {
      await endDevice(one);
      return 'gone';
    }
    if (status === 429 || status >= 500) {
      const now = clock.now();
      const waitMs = retryAfterMs(retryAfter, now);
      return retry(one, status, waitMs === null ? undefined : new Date(now.getTime() + waitMs));
    }
    if (status === 401 || status === 403) logRefused(one.host, status);
    await remove(one);
    await setFailed(one, status);
    return 'refused';
  }

  /** The parts of a message; null if it must not be sent any more. */
  async function prepare(one: Claimed) {
    const notice: StoredNotice = { ...one, id: one.notice_id };
    const now = clock.now();
    if (one.worth_until <= now || !(await wants(deps, one.player_id, one.kind))) return null;
    const stored = unseal(config, 'push', one.sealed) as Subscription | undefined;
    const url = stored && config.push ? endpointOf(stored.endpoint, config.push.hosts) : null;
    const [p256dh, auth] = stored ? [pointOf(stored.p256dh), authOf(stored.auth)] : [];
    if (!url || !p256dh || !auth || !config.push) return null;
    const authorization = await authorize(one.key_id, url.origin, config.push.subject);
    const words = await tellerOf(tellers, one.kind).words(deps, notice, one);
    if (authorization === null || words === null) return null;
    const ttl = Math.floor((one.worth_until.getTime() - now.getTime()) / 1000);
    return {
      url,
      body: await encryptFor({ p256dh, auth }, messageOf(config.public_url, notice, words)),
      headers: {
        authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.max(TTL_LEAST_S, ttl)),
        urgency: one.kind === 'passed' ? 'low' : 'normal',
        topic: tagOf(notice),
      },
    };
  }

  async function sendOne(one: Claimed): Promise<void> {
    const began = performance.now();
    let status = 0;
    let outcome: string;
    const now = clock.now();
    const allowed = one.kind === 'test' ? now : afterQuiet(now, one.quiet_zone);
    const message = allowed > now ? null : await prepare(one);
    if (allowed > now) {
      outcome = await postpone(one, allowed);
    } else if (message === null) {
      await remove(one);
      outcome = 'dropped';
    } else {
      try {
        const answer = await post(agent, edge, message.url, message.headers, message.body);
        status = answer.status;
        outcome = await settle(one, answer);
      } catch (error) {
        if (isDatabaseAway(error) && status !== 0) throw error;
        outcome = await retry(one, null);
      }
    }
    outcomes.inc({ kind: one.kind, outcome });
    const ms = Math.round(performance.now() - began);
    const { kind, device_id: device, host } = one;
    log.info({ kind, device, host, status, ms, outcome }, 'notification');
  }

  function start(one: Claimed): void {
    inFlight.set(one.host, (inFlight.get(one.host) ?? 0) + 1);
    const work: Promise<void> = sendOne(one)
      // The message is sent again when its lease ends.
      .catch((err: unknown) => log.warn({ err }, 'a notification is sent again later'))
      .finally(() => {
        const left = (inFlight.get(one.host) ?? 1) - 1;
        if (left > 0) inFlight.set(one.host, left);
        else inFlight.delete(one.host);
        sending.delete(work);
        tick();
      });
    sending.add(work);
  }

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        for (let n = 0; n < PLANNED_AT_ONCE && !stopped && (await planOne(deps, tellers)); n += 1);
      } finally {
        if (!stopped) for (const one of await claim()) start(one);
      }
    } while (again && !stopped);
  }

  function tick(): void {
    if (stopped) return;
    again = true;
    ticking ??= run()
      .catch((err: unknown) => log.warn({ err }, 'notifications cannot be planned: trying again'))
      .finally(() => {
        ticking = undefined;
      });
  }

  return {
    work: () => {
      if (config.push !== null) timer = setInterval(tick, POLL_MS).unref();
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await ticking;
      const late = new Promise<void>((done) => setTimeout(done, STOP_MS).unref());
      await Promise.race([Promise.all(sending), late]);
      agent.destroy();
    },
  };
}
