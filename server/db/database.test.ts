import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import {
  allowSlowTests,
  openSharedDatabase,
  slowPoll,
  startServer,
} from '#testing/app/server-process.ts';
import { openEvents } from '#testing/event-stream.ts';
import { hasPgBouncer } from '#testing/pgbouncer.ts';
import { freePort } from '#testing/ports.ts';
import { openPool } from './database.ts';
import { notify } from './notifications.ts';

allowSlowTests();

const CONFIGURATION = join(import.meta.dirname, '../../deploy/cluster/pgbouncer.ini');
const SETTINGS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'random_page_cost',
];

/** Starts PgBouncer with `deploy/cluster/pgbouncer.ini` and the addresses of this test. */
describe.skipIf(!hasPgBouncer())('behind PgBouncer in session mode', () => {
  let folder: string;
  let bouncer: ChildProcess;
  let shared: Awaited<ReturnType<typeof openSharedDatabase>>;
  let url: string;

  beforeAll(async () => {
    const connection = inject('connection');
    shared = await openSharedDatabase();
    const { rows } = await shared.pool.query('select current_database() as name');
    const { host, port, user = '', password } = new pg.Client(connection);
    folder = await mkdtemp(join(tmpdir(), 'backboard-bouncer-'));
    const ownPort = await freePort();
    const ini = (await readFile(CONFIGURATION, 'utf8'))
      .replaceAll(/host=.* dbname=.*/g, `host=${host} port=${port} dbname=${rows[0].name}`)
      .replace('listen_port = 6432', `listen_port = ${ownPort}`)
      .replace(/auth_file = .*/, `auth_file = ${folder}/users`)
      .replace(/logfile = .*/, `logfile = ${folder}/log`)
      .replace(/pidfile = .*/, `pidfile = ${folder}/pid`);
    await writeFile(join(folder, 'ini'), ini);
    await writeFile(join(folder, 'users'), `"${user}" "${password}"\n`);
    // PgBouncer refuses to run as root, so run it as the owner of PostgreSQL's socket.
    const { uid, gid } = statSync(host.startsWith('/') ? host : folder);
    const as = process.getuid?.() === 0 ? { uid, gid } : {};
    if ('uid' in as)
      for (const file of ['', 'ini', 'users']) chownSync(join(folder, file), uid, gid);
    bouncer = spawn('pgbouncer', ['-q', join(folder, 'ini')], { cwd: '/', stdio: 'ignore', ...as });
    url = `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${ownPort}/backboard`;
  });
  afterAll(async () => {
    bouncer.kill('SIGKILL');
    await shared.close();
    await rm(folder, { recursive: true });
  });

  test('P38: each connection has the time limits of requests, and a migration has none', async () => {
    const settings = async (limits: boolean) => {
      const pool = openPool({ connectionString: url }, 1, () => undefined, { limits });
      const { rows } = await pool.query<{ name: string; setting: string }>(
        'select name, setting from pg_settings where name = any($1) order by name',
        [SETTINGS],
      );
      await pool.end();
      return rows.map(({ setting }) => setting);
    };
    await expect
      .poll(() => settings(true).catch(() => []), slowPoll)
      .toEqual(['10000', '2000', '1.1', '5000']);
    // PgBouncer gives the next client the same connection to PostgreSQL.
    expect(await settings(false)).toEqual(['0', '0', '1.1', '0']);
    expect(await settings(true)).toEqual(['10000', '2000', '1.1', '5000']);
  });

  test('the server starts, and an event stream gets its notifications', async () => {
    const server = startServer(await freePort(), { ...shared.environment, DATABASE_URL: url });
    await server.ready();
    const player = await makePlayer(shared);
    const stream = await openEvents(server.url, (await makeSession(shared, player)).access);
    await shared.db.transaction().execute((trx) => notify(trx, { profile: [player.id] }));
    expect(await stream.next()).toBe('profile');
    stream.close();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
