import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { expectRecordedOnce, startBusyMachine } from '#testing/app/busy-machine.ts';
import { isRoot, makeFolder, removeFolder, serverOf } from '#testing/app/database-processes.ts';
import { makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import {
  address,
  allowSlowTests,
  type ServerProcess,
  type Shared,
  shareDatabase,
  slowPoll,
  startServer,
} from '#testing/app/server-process.ts';
import { appOn } from '#testing/app/test-app.ts';
import { dropDatabase, execute, onDatabase } from '#testing/app/test-database.ts';
import { freePort } from '#testing/ports.ts';
import { startPushService } from '#testing/push-service.ts';
import type { Connection } from '../db/database.ts';
import { type EmbeddedDatabase, openEmbedded } from '../postgres/embedded.ts';
import { plan } from '../push/notices.ts';
import type { Given } from '../push/sender.child.ts';
import { LEASE_MS } from '../push/sender.ts';

allowSlowTests();

/** The connections of the server's two pools and of this test's pool. */
const SESSIONS_MAX = 16 + 4 + 8;

/** A PostgreSQL to stop, freeze and kill, and a server process on it. */
type Site = {
  folder: string;
  connection: Connection;
  server: ServerProcess;
  shared: Shared;
  as: { access: string; refresh: string };
  player: { id: number; uuid: string };
  key: string;
  /** Stops PostgreSQL cleanly. `start` uses the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

async function openSite(folder: string): Promise<Site> {
  const open = () => openEmbedded({ dataDir: folder, log: () => undefined });
  let database: EmbeddedDatabase = await open();
  const shared = await shareDatabase(database.connection, database.connection.database);
  // One test has a sender of its own.
  const server = startServer(await freePort(), { ...shared.environment, PUSH: '0' });
  await server.ready();
  const player = await makePlayer(shared);
  const [as, { key }] = [await makeSession(shared, player), await makeMachine(shared)];
  return {
    folder,
    connection: database.connection,
    server,
    shared,
    as,
    player,
    key,
    stop: () => database.stop(),
    start: async () => {
      database = await open();
    },
    close: async () => {
      await shared.close();
      await database.stop();
    },
  };
}

const profile = ({ server, as }: Site) => server.call('GET', '/api/users/profile/', { as });
const health = async ({ server }: Site, path: 'live' | 'ready') =>
  (await server.call('GET', `/health/${path}`)).status;
const isUp = async (site: Site) =>
  (await health(site, 'ready')) === 200 && (await profile(site)).status === 200;

const startMachine = ({ shared, server, key, player }: Site) =>
  startBusyMachine(shared, [server], key, player);

function processesOf(folder: string): number[] {
  const postmaster = serverOf(folder);
  const children = readdirSync('/proc').flatMap((name) => {
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return Number(parent) === postmaster ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
  return [postmaster, ...children];
}

let site: Site;
const frozen: number[] = [];
const freeze = (pids: number[]) => {
  for (const pid of pids) {
    frozen.push(pid);
    process.kill(pid, 'SIGSTOP');
  }
};
const thaw = () => {
  for (const pid of frozen.splice(0))
    try {
      process.kill(pid, 'SIGCONT');
    } catch {}
};

beforeAll(async () => {
  site = await openSite(await makeFolder());
});
afterEach(thaw);
afterAll(async () => {
  await site.close();
  await removeFolder(site.folder);
});

async function sessions({ shared }: Site): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where application_name = 'backboard'`.execute(
    shared.db,
  );
  return rows[0]?.count ?? 0;
}

test('REL-04: each commit of a game waits until it is on disk', async () => {
  const synced = async () => {
    const { rows } = await sql<{ fsyncs: number }>`
      select coalesce(sum(fsyncs), 0)::int as fsyncs, pg_stat_force_next_flush()
      from pg_stat_io where object = 'wal' and context = 'normal'`.execute(site.shared.db);
    return rows[0]?.fsyncs ?? 0;
  };
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes')`.execute(site.shared.db);
  expect(new Set(rows.map(({ setting }) => setting))).toEqual(new Set(['on']));
  const before = await synced();
  const machine = startMachine(site);
  await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThanOrEqual(20);
  await machine.stop();
  const games = machine.acknowledged.length;
  await expect.poll(async () => (await synced()) - before, slowPoll).toBeGreaterThanOrEqual(games);
});

test.each(['synchronous_commit=off'])('REL-04: a database with %s is refused', async (setting) => {
  const url = new URL(address(inject('connection') as Connection, inject('template')));
  url.searchParams.set('options', `-c ${setting}`);
  const lax = startServer(await freePort(), {
    ...site.shared.environment,
    DATABASE_URL: url.href,
  });
  expect(await lax.ended).toBe(1);
  expect(lax.output().trim()).toBe(
    `The database runs with ${setting.replace('=', ' = ')} and would lose games when the power fails. Turn it on.`,
  );
});

test.each([
  [
    'whose files are not safe',
    "when name in ('fsync', 'full_page_writes') then 'off'",
    'The database runs with fsync = off and full_page_writes = off and would lose games when the power fails. Turn them on.',
  ],
  [
    'that does not wait for its standby',
    "when name = 'synchronous_commit' then 'local' when name = 'synchronous_standby_names' then 'db2'",
    'The database runs with synchronous_commit = local and would lose games when its standby takes over. Set it to on.',
  ],
])(
  'REL-04: a database %s is refused, and the refusal names every wrong setting',
  async (_, when, says) => {
    const name = `t_${randomBytes(6).toString('hex')}`;
    const connection = inject('connection') as Connection;
    await execute(connection, `create database ${name}`);
    // These settings are the whole server's, so a view replaces them.
    await execute(
      onDatabase(connection, name),
      'create schema lax',
      `create view lax.pg_settings as
      select name, case ${when} else setting end as setting from pg_catalog.pg_settings`,
      `alter database ${name} set search_path = lax, pg_catalog, public`,
    );
    const lax = startServer(await freePort(), {
      ...site.shared.environment,
      DATABASE_URL: address(connection, name),
    });
    expect(await lax.ended).toBe(1);
    expect(lax.output().trim()).toBe(says);
    await dropDatabase(connection, name);
  },
);

test('REL-02: when backends are killed, no acknowledged game is lost or counted twice', async () => {
  const machine = startMachine(site);
  for (let kill = 1; kill <= 3; kill += 1) {
    const reached = machine.acknowledged.length + 5;
    await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThan(reached);
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'backboard'
        and pid <> pg_backend_pid() order by random() limit 1`.execute(site.shared.db);
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => isUp(site).catch(() => false), slowPoll).toBe(true);
  }
  await machine.stop();
  await expectRecordedOnce(site.shared, site.player, machine);
  for (const status of machine.refusals) expect(status).toBe(503);
});

/** `PUSH_DATABASE_KILLS=50 vitest run server/system/outages.test.ts` kills PostgreSQL 50 times. */
const DATABASE_KILLS = Number(process.env.PUSH_DATABASE_KILLS ?? 1);
const TOLD_A_KILL = 6;

test(`PUSH-48, PUSH-T3, P74: ${DATABASE_KILLS} kills of PostgreSQL lose no notification, repeat only what was in transit, and never pass the limit`, {
  timeout: 180_000 + DATABASE_KILLS * 10_000,
}, async () => {
  const app = await appOn(site.connection);
  const HOUR = 3_600_000;
  // Moves to the next noon in UTC, outside the quiet hours.
  app.clock.advance(36 * HOUR - (Date.now() % (24 * HOUR)));
  const service = await startPushService(() => app.clock.now().getTime());
  service.reply = () => (answer) => void setTimeout(() => answer.writeHead(201).end(), 30);
  const given: Given = {
    connection: site.connection,
    config: { secret_keys: app.config.secret_keys, public_url: app.config.public_url },
    port: service.port,
    ahead_ms: app.clock.now().getTime() - Date.now(),
  };
  const players = [];
  for (let n = 0; n < TOLD_A_KILL * DATABASE_KILLS; n += 1) {
    const player = await makePlayer(app);
    const { endpoint, p256dh, auth } = await service.subscribe();
    const body = { endpoint, p256dh, auth, locale: 'en', zone: 'UTC' };
    const as = await makeSession(app, player);
    expect((await app.call('PUT', '/api/users/push/device/', { as, body })).status).toBe(200);
    players.push(player);
  }
  const sender = spawn(process.execPath, [join(import.meta.dirname, '../push/sender.child.ts')], {
    env: { ...process.env, GIVEN: JSON.stringify(given) },
    stdio: 'inherit',
  });
  for (let kill = 0; kill < DATABASE_KILLS; kill += 1) {
    const now = app.clock.now();
    // Two notices for each player. The limit lets one of them through.
    const notices = players
      .slice(kill * TOLD_A_KILL, (kill + 1) * TOLD_A_KILL)
      .flatMap(({ id }) => [1, 2].map((n) => ({ id, title: `Told ${id} ${n}` })))
      .map(({ id, title }) => ({
        ...{ player_id: id, kind: 'my_week' as const, subject: title, data: { title } },
        worth_until: new Date(now.getTime() + HOUR),
      }));
    await plan(app.db, notices, now);
    const had = service.received.length;
    await expect.poll(() => service.received.length, slowPoll).toBeGreaterThan(had);
    await new Promise((done) => setTimeout(done, Math.random() * 60));
    const client = await app.pool.connect();
    client.on('error', () => undefined);
    const ended = new Promise((done) => client.once('end', done));
    const { rows } = await client.query<{ pid: number }>(`
      select pid from pg_stat_activity where application_name = 'backboard'
        and pid <> pg_backend_pid() order by random() limit 1`);
    // PostgreSQL ends all connections and recovers.
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await ended;
    const endedAt = app.clock.now().getTime();
    client.release(true);
    const isBack = () =>
      sql`select`.execute(app.db).then(
        () => true,
        () => false,
      );
    await expect.poll(isBack, slowPoll).toBe(true);
    // Ends the leases of messages that were in transit; the sender may have leased others since.
    await sql`update push_sends set due_at = due_at - interval '31 seconds'
      where due_at <= ${new Date(endedAt + LEASE_MS)}`.execute(app.db);
    const sent = () => new Set(service.received.map(({ endpoint }) => endpoint)).size / TOLD_A_KILL;
    await expect.poll(sent, slowPoll).toBe(kill + 1);
  }
  const waiting = async () => (await sql`select from push_sends`.execute(app.db)).rows.length;
  await expect.poll(waiting, slowPoll).toBe(0);
  expect(sender.exitCode, 'the sender outlives the database').toBeNull();
  sender.kill('SIGKILL');
  await once(sender, 'exit');
  expect(service.wrong).toEqual([]);
  // A process has at most four messages in transit to one host.
  expect(service.received.length - players.length).toBeLessThanOrEqual(4 * DATABASE_KILLS);
  for (const same of Map.groupBy(service.received, ({ endpoint }) => endpoint).values()) {
    expect(new Set(same.map(({ message }) => message.id)).size).toBe(1);
    expect(new Set(same.map(({ topic }) => topic)).size).toBe(1);
  }
  const { rows: states } = await sql<{ state: string; n: number }>`
    select state, count(*)::int as n from push_notices group by state order by state`.execute(
    app.db,
  );
  const one = { n: players.length };
  expect(states).toEqual([
    { state: 'sent', ...one },
    { state: 'waiting', ...one },
  ]);
  await service.close();
  await app.close();
});

test('REL-07: while PostgreSQL restarts, live stays 200 and requests get a 503, and all succeed afterwards', async () => {
  const machine = startMachine(site);
  const opened: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await site.stop();
    expect(await health(site, 'live')).toBe(200);
    expect(await health(site, 'ready')).toBe(503);
    const refresh = { body: { refresh: site.as.refresh, rotate: false } };
    for (const answer of [
      await profile(site),
      await site.server.call('POST', '/api/users/auth/token/refresh/', refresh),
      await site.server.call('GET', '/api/machine/', { as: { key: site.key } }),
      await site.server.call('POST', '/api/users/auth/check-email/', {
        body: { email: 'ann@example.com' },
      }),
    ]) {
      // After a 401 or 404, the player would be signed out (ACC-44, ACC-46).
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    await site.start();
    await expect.poll(() => isUp(site).catch(() => false), slowPoll).toBe(true);
    opened.push(readdirSync(`/proc/${site.server.child.pid}/fd`).length);
  }
  await machine.stop();
  await expectRecordedOnce(site.shared, site.player, machine);
  expect([...machine.refusals]).toEqual([503]);
  // Leaks would grow with each round.
  expect(Math.max(...opened) - Math.min(...opened)).toBeLessThan(SESSIONS_MAX);
  await expect.poll(() => sessions(site), slowPoll).toBeLessThanOrEqual(SESSIONS_MAX);
});

test('REL-08: after a switch to a read-only server, writes wait until there is a primary', async () => {
  const { database } = (
    await sql<{ database: string }>`
    select current_database() as database`.execute(site.shared.db)
  ).rows[0] ?? { database: '' };
  /** A switchover: connections break, new ones reach another server. */
  const switchOver = async (readOnly: boolean) => {
    await sql`alter database ${sql.ref(database)} set default_transaction_read_only = ${sql.lit(readOnly)}`.execute(
      site.shared.db,
    );
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(site.shared.db);
  };
  const machine = startMachine(site);
  await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThan(3);
  await switchOver(true);
  await expect.poll(() => [...machine.refusals], slowPoll).toEqual([503]);
  await expect.poll(async () => (await profile(site)).status, slowPoll).toBe(200);
  const stored = machine.acknowledged.length;
  await sql`set default_transaction_read_only = off`.execute(site.shared.db);
  await switchOver(false);
  await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThan(stored + 3);
  await machine.stop();
  await expectRecordedOnce(site.shared, site.player, machine);
  expect([...machine.refusals]).toEqual([503]);
});

test('REL-09: while PostgreSQL hangs, every request gets a 503, and all succeed afterwards', async () => {
  freeze(processesOf(site.folder));
  const calls = await Promise.all([
    ...Array.from({ length: 60 }, () => profile(site)),
    site.server.call('POST', '/api/users/auth/login/', {
      body: { email: 'ann@example.com', password: 'quiet orange kite' },
    }),
  ]);
  expect(await health(site, 'live')).toBe(200);
  for (const { status, headers } of calls) {
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  thaw();
  await expect.poll(() => isUp(site).catch(() => false), slowPoll).toBe(true);
  const after = await Promise.all(Array.from({ length: 40 }, () => profile(site)));
  expect(new Set(after.map(({ status }) => status))).toEqual(new Set([200]));
  await expect.poll(() => sessions(site), slowPoll).toBeLessThanOrEqual(SESSIONS_MAX);
});

test('REL-09: a single hanging connection fails one request, not the later ones', async () => {
  await profile(site);
  // The connection that read the session; another one notes later that the session was used.
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'backboard'
      and query ~ 'session_created_at' and pid <> pg_backend_pid()
    order by state_change desc limit 1`.execute(site.shared.db);
  freeze(rows.map(({ pid }) => pid));
  const statuses = [];
  for (let call = 0; call < 20; call += 1) statuses.push((await profile(site)).status);
  expect(statuses.filter((status) => status !== 200)).toEqual([503]);
});

test.runIf(isRoot && process.platform === 'linux')(
  'REL-10: a full disk loses no acknowledged game, and freeing space is enough to recover',
  async () => {
    const disk = await makeFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', disk]);
    if (mounted.status !== 0) return; // Some containers forbid mounts.
    const filler = join(disk, 'filler');
    const small = await openSite(disk);
    try {
      const machine = startMachine(small);
      await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThan(3);
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']);
      await sql`create table if not exists ballast (bytes text)`
        .execute(small.shared.db)
        .catch(() => 0);
      const use = () =>
        sql`insert into ballast select repeat(md5(random()::text), 200) from generate_series(1, 500)`
          .execute(small.shared.db)
          .then(() => true)
          .catch(() => false);
      await expect
        .poll(async () => (await use()) || [...machine.refusals], slowPoll)
        .toEqual([503]);
      expect(await health(small, 'live')).toBe(200);
      expect((await profile(small)).status).toBe(200);
      await rm(filler);
      const stored = machine.acknowledged.length;
      await expect.poll(() => machine.acknowledged.length, slowPoll).toBeGreaterThan(stored + 3);
      await machine.stop();
      expect([...machine.refusals]).toEqual([503]);
      await expectRecordedOnce(small.shared, small.player, machine);
    } finally {
      await small.close();
      spawnSync('umount', [disk]);
      await removeFolder(disk);
    }
  },
  180_000,
);
