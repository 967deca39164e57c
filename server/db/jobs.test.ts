import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { withApp } from '#testing/app/test-app.ts';
import { onDatabase } from '#testing/app/test-database.ts';
import { serverLogger } from '../log.ts';
import type { Connection } from './database.ts';
import { openJobs } from './jobs.ts';

const original = Socket.prototype.connect;

const t = withApp();
let connection: Connection;
const log = serverLogger('silent');
beforeAll(async () => {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
  connection = onDatabase(inject('connection'), rows[0]?.name ?? '');
});

test('processes that start simultaneously on an empty database create one schedule', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => openJobs({ connection, log })));
  await Promise.all(all.map(({ repeat }) => repeat('clean-up', '17 4 * * *', async () => 1)));
  expect(await all[0]?.boss.getSchedules()).toMatchObject([
    { name: 'clean-up', cron: '17 4 * * *', timezone: 'UTC' },
  ]);
  await Promise.all(all.map(({ stop }) => stop()));
});

test('only one process executes a run, the result is logged, and a failed run is retried', async () => {
  const lines: string[] = [];
  const runs = new EventEmitter();
  let tried = 0;
  const listening = {
    log: serverLogger('info', { write: (line) => lines.push(line) }),
    connection,
  };
  const all = [await openJobs(listening), await openJobs(listening)];
  for (const { repeat } of all)
    await repeat('clean-up', '17 4 * * *', async () => {
      tried += 1;
      if (tried === 1) throw new Error('not today');
      runs.emit('done');
      return { players: 3 };
    });
  const done = once(runs, 'done');
  await all[0]?.boss.send('clean-up');
  await done;
  for (const { stop } of all) await stop();
  expect(tried).toBe(2);
  expect(lines.join()).toContain('clean-up: failed');
  expect(lines.join()).toContain('{"players":3}');
});

test('REL-07: connections that fail twice do not end the process, and the queues go on', async () => {
  const sockets: Socket[] = [];
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    sockets.push(this);
    return (original as (...all: unknown[]) => Socket).apply(this, args);
  });
  const jobs = await openJobs({ connection, log });
  connect.mockRestore();
  const runs = new EventEmitter();
  await jobs.repeat('after-failover', '17 4 * * *', async () => runs.emit('done'));
  expect(sockets.length).toBeGreaterThan(1);
  // Imitate a host that is cut off: after the first error, the driver ends the connection, and that
  // fails too.
  const timeout = Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' });
  for (const socket of [...sockets, ...sockets]) socket.emit('error', timeout);
  const done = once(runs, 'done');
  await expect
    .poll(() => jobs.boss.send('after-failover').catch(() => null), { timeout: 10_000 })
    .not.toBeNull();
  await done;
  await jobs.stop();
});

test('stop() leaves no connection behind', async () => {
  const { stop } = await openJobs({ connection, log });
  await stop();
  const connected = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'backboard-jobs'`.execute(t.db);
    return rows[0]?.count;
  };
  await expect.poll(connected).toBe(0);
});
