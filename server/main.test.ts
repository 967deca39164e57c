import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { aGame, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { address, killServers, listening, startServer } from '#testing/app/server-process.ts';
import { appOn, SECRET } from '#testing/app/test-app.ts';
import { dropDatabase, execute, onDatabase } from '#testing/app/test-database.ts';
import { openEvents } from '#testing/event-stream.ts';
import { freePort } from '#testing/ports.ts';
import { hashPassword } from './accounts/passwords.ts';
import { migrate } from './db/migrate.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo/demo.ts';
import { lockPlayer } from './players/players.ts';

const ROOT = join(import.meta.dirname, '..');
let folder: string;
let database: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backboard-main-'));
  database = `t_${randomBytes(6).toString('hex')}`;
  databaseUrl = address(inject('connection'), database);
  await execute(inject('connection'), `create database ${database}`);
});
afterEach(killServers);
afterAll(async () => {
  await dropDatabase(inject('connection'), database);
  await rm(folder, { recursive: true, force: true });
});

const outside = () => ({ DATA_DIR: folder, DATABASE_URL: databaseUrl });

test('REL-20 a bad configuration names its keys and ends the start before the port opens', async () => {
  const bad = startServer(0, { NODE_ENV: 'production', PORT: 'eighty', SECRET_KEY: 'short' });
  expect(await bad.ended).toBe(1);
  for (const name of ['PORT', 'SECRET_KEY', 'PUBLIC_URL', 'DATABASE_URL', 'SMTP_URL'])
    expect(bad.output()).toContain(name);
  expect(bad.output()).not.toMatch(/\bat .*\.ts:\d/);
});

test('a port in use and an unreachable database give one clear line each', async () => {
  const { port, server } = await listening();
  const second = startServer(port, outside());
  expect(await second.ended).toBe(1);
  expect(second.output().trim()).toBe(
    `Port ${port} is in use. Stop the other program, or choose another port: PORT=3001 npm start`,
  );
  server.close();

  const lost = startServer(await freePort(), {
    ...outside(),
    DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  });
  expect(await lost.ended).toBe(1);
  expect(lost.output()).toMatch(/^The database of DATABASE_URL cannot be reached \(.*ECONNREFUSED/);
  expect(lost.output().trim().split('\n')).toHaveLength(1);
});

describe('OPS-32: a start works, or ends with one sentence', () => {
  const fresh = async () => ({ DATA_DIR: await mkdtemp(join(folder, 'start-')), DEMO: '0' });

  test('a start ignores the shell’s PG… variables, which are for another server', async () => {
    const server = startServer(await freePort(), {
      ...(await fresh()),
      PGSSLMODE: 'require',
      PGOPTIONS: '-c search_path=nope',
      PGUSER: 'me',
      PGPASSWORD: 'mine',
    });
    await server.ready();
    expect(server.output()).not.toMatch(/ssl|nope|authentication/i);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('a port in use is reported before anything is created', async () => {
    const { port, server } = await listening();
    const given = await fresh();
    const second = startServer(port, given);
    expect(await second.ended).toBe(1);
    expect(second.output().trim()).toMatch(/^Port \d+ is in use\. [^\n]+$/);
    expect(await readdir(given.DATA_DIR)).toEqual([]);
    server.close();
  });

  test.each([
    [{ HOST: '192.0.2.1', DEV_OPEN: '1' }, 'HOST=192.0.2.1 is no address of this computer.'],
    [
      { HOST: 'no.such.invalid', DEV_OPEN: '1' },
      'HOST=no.such.invalid is no address of this computer.',
    ],
  ])('a start with %j fails with one sentence', async (given, sentence) => {
    const server = startServer(await freePort(), { ...(await fresh()), ...given });
    expect(await server.ended).toBe(1);
    expect(server.output().trim()).toBe(sentence);
  });
});

test('an external database is migrated and served; secrets are created once', async () => {
  const port = await freePort();
  const first = startServer(port, outside());
  await first.ready();
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const key = await readFile(join(folder, 'operator.key'), 'utf8');
  expect((await stat(join(folder, 'operator.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);

  const again = startServer(port, outside());
  await again.ready();
  await expect.poll(again.output).toContain('Stop          Ctrl-C');
  const [, link = ''] = /for a link: (.*)\)/.exec(again.output()) ?? [];
  const { stdout } = await promisify(execFile)('sh', ['-c', link], { cwd: ROOT });
  expect(stdout).toContain('/console/');
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
  expect(await readFile(join(folder, 'operator.key'), 'utf8')).toBe(key);
});

test('P41 SIGTERM: /health/ready answers 503 at once, accepted requests finish, and the process exits with 0', async () => {
  const port = await freePort();
  const one = startServer(port, { ...outside(), DRAIN_SECONDS: '4' });
  await one.ready();
  const { url } = one;
  const check = () =>
    promisify(execFile)(process.execPath, ['server/process/healthcheck.ts'], {
      env: { PORT: String(port) },
      cwd: ROOT,
    });
  await check();
  one.child.kill('SIGTERM');
  const red = async () => (await fetch(`${url}/health/ready`)).status;
  await expect.poll(red).toBe(503);
  expect((await fetch(`${url}/api/config/`)).status).toBe(200);
  expect(await one.ended).toBe(0);
  await expect(fetch(`${url}/health/live`)).rejects.toThrow();
  await expect(check()).rejects.toMatchObject({ code: 1 });
});

test('a game posted to one process reaches the streams of another, which exits without waiting for them', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  const shared = { SECRET_KEY: SECRET, PUBLIC_URL: 'http://localhost:3000' };
  const one = startServer(port, { ...outside(), ...shared });
  await one.ready();
  const other = startServer(otherPort, { ...outside(), ...shared });
  await other.ready();
  const t = await appOn(onDatabase(inject('connection'), database));
  const [player, machine] = [await makePlayer(t), await makeMachine(t)];
  const { access } = await makeSession(t, player);
  const stream = await openEvents(other.url, access);
  const answer = await fetch(`${one.url}/api/machine/games/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${machine.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ games: [aGame(t, player)] }),
  });
  expect(await answer.json()).toMatchObject({ results: [{ status: 'recorded' }] });
  expect(await stream.next()).toBe('game');

  other.child.kill('SIGTERM');
  await stream.ended;
  expect(await other.ended).toBe(0);
  one.child.kill('SIGTERM');
  expect(await one.ended).toBe(0);
  await t.close();
});

test('P41 a second signal ends the process immediately', async () => {
  const port = await freePort();
  const one = startServer(port, { ...outside(), DRAIN_SECONDS: '9' });
  await one.ready();
  one.child.kill('SIGINT');
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status)
    .toBe(503);
  one.child.kill('SIGINT');
  expect(await one.ended).toBe(130);
});

test('P17 anonymous requests use a connection pool of their own', async () => {
  const server = startServer(await freePort(), {
    ...outside(),
    SECRET_KEY: SECRET,
    PUBLIC_URL: 'http://localhost:3000',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  await server.ready();
  const t = await appOn(onDatabase(inject('connection'), database));
  const player = await makePlayer(t);
  const { access, refresh } = await makeSession(t, player);
  const [machine, stranger] = [await makeMachine(t), await makeMachine(t)];
  expect((await server.call('GET', '/api/machine/', { as: machine })).status).toBe(200);
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = t.db.transaction().execute(async (trx) => {
    await lockPlayer(trx, player.id);
    isHeld.resolve();
    await held.promise;
  });
  await isHeld.promise;
  // These calls wait for the locked player. Those that get a database connection keep it until
  // their timeout (P38), so the pool of anonymous calls is full.
  let waiting = 40;
  const strangers = Array.from({ length: waiting }, (_, n) =>
    server
      .call('POST', '/api/users/resend-verification/', {
        body: { email: player.email },
        headers: { 'x-forwarded-for': `192.0.2.${n}` },
      })
      .finally(() => {
        waiting -= 1;
      }),
  );
  await untilBlocked(t, 4);
  const bearer = { headers: { authorization: `Bearer ${access}` } };
  for (let n = 0; n < 20; n += 1)
    expect((await server.call('GET', '/api/users/profile/', bearer)).status).toBe(200);
  const refreshed = await server.call('POST', '/api/users/auth/token/refresh/', {
    body: { refresh },
  });
  expect(refreshed.status).toBe(200);
  expect(waiting).toBeGreaterThan(0);
  // Strangers delay calls with a key that was never used, but not machines that called before.
  const called = await server.call('GET', '/api/machine/', { as: machine });
  expect(called.status).toBe(200);
  const made = server.call('GET', '/api/machine/', { as: { key: `${stranger.key}` } });
  expect(await Promise.race([made, sleep(300, 'waits')])).toBe('waits');
  held.resolve();
  await Promise.all([holding, made, ...strangers]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await t.close();
});

test('P41 shutdown does not wait for connections that never sent a request', async () => {
  const port = await freePort();
  const server = startServer(port, outside());
  await server.ready();
  const silent = createConnection({ host: '127.0.0.1', port });
  await once(silent, 'connect');
  const closed = once(silent, 'close');
  const begun = performance.now();
  server.child.kill('SIGTERM');
  await closed;
  expect(await server.ended).toBe(0);
  // Node alone would wait for the headers timeout, 10 s.
  expect(performance.now() - begun).toBeLessThan(8_000);
});

test('OPS-14 a database that is not UTF8 is refused with the command that creates a right one', async () => {
  const other = `${database}_ascii`;
  await execute(
    inject('connection'),
    `create database ${other} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
  );
  const server = startServer(await freePort(), {
    ...outside(),
    DATABASE_URL: address(inject('connection'), other),
  });
  expect(await server.ended).toBe(1);
  expect(server.output().trim().split('\n')).toHaveLength(1);
  expect(server.output()).toContain('has the encoding SQL_ASCII');
  expect(server.output()).toContain(`createdb -O backboard -E UTF8 -T template0 ${other}`);
  expect(await readFile('docs/operating.md', 'utf8')).toContain(
    'createdb -O backboard -E UTF8 -T template0 backboard\n',
  );
  await dropDatabase(inject('connection'), other);
});

test('OPS-31 a database in which I is not the capital of i is refused in one line', async () => {
  const other = `${database}_tr`;
  await execute(
    inject('connection'),
    `create database ${other} template template0 locale_provider icu icu_locale 'tr' locale 'C'`,
  );
  const server = startServer(await freePort(), {
    ...outside(),
    DATABASE_URL: address(inject('connection'), other),
  });
  expect(await server.ended).toBe(1);
  expect(server.output().trim().split('\n')).toHaveLength(1);
  expect(server.output()).toContain('takes I and i for two letters');
  expect(server.output()).toContain(`--locale=C.UTF-8 -T template0 ${other}`);
  await dropDatabase(inject('connection'), other);
});

test('OPS-31 an outdated sort order causes one warning at the start and in status, with the commands', async () => {
  const other = `${database}_old`;
  await execute(
    inject('connection'),
    `create database ${other} template template0 locale_provider icu icu_locale 'und' locale 'C'
      collation_version '1.0'`,
  );
  const server = startServer(await freePort(), {
    ...outside(),
    BACKBOARD_OPERATOR_KEY: SECRET,
    DATABASE_URL: address(inject('connection'), other),
  });
  await server.ready();
  const warnings = server
    .output()
    .split('\n')
    .filter((line) => line.includes('sort order'));
  expect(warnings).toHaveLength(1);
  const command = `psql -d ${other} -c 'alter database`;
  expect(warnings[0]).toContain(command);
  const status = await server.call('GET', '/api/operator/system/', { as: { key: SECRET } });
  expect(status.body.warnings).toEqual([expect.stringContaining(command)]);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await dropDatabase(inject('connection'), other);
});

test('REL-20 a start with more processes than PostgreSQL has connections for is refused', async () => {
  const server = startServer(await freePort(), { ...outside(), WEB_PROCESSES: '40' });
  expect(await server.ended).toBe(1);
  expect(server.output().trim()).toMatch(
    /^WEB_PROCESSES=40 needs up to \d+ connections, but PostgreSQL allows \d+\. Set WEB_PROCESSES to at most \d+, or raise max_connections/,
  );
});

test('P46 a demo account that was restored into production loses its public password', async () => {
  const t = await appOn(onDatabase(inject('connection'), database));
  await migrate(t.db);
  const { id } = await makePlayer(t, {
    email: DEMO_EMAIL,
    password_hash: await hashPassword(DEMO_PASSWORD),
  });
  await makeSession(t, { id });
  const server = startServer(await freePort(), {
    ...outside(),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://play.example.com',
    SECRET_KEY: SECRET,
    SMTP_URL: 'smtps://127.0.0.1:1',
  });
  await server.ready();
  const signIn = await server.call('POST', '/api/users/auth/login/', {
    body: { email: DEMO_EMAIL, password: DEMO_PASSWORD },
  });
  expect(signIn.status).toBe(400);
  const sessions = await t.db
    .selectFrom('sessions')
    .selectAll()
    .where('player_id', '=', id)
    .execute();
  expect(sessions).toEqual([]);
  expect(server.output()).toContain('the demo account had its public password');
  server.child.kill('SIGKILL');
  await server.ended;
  await t.close();
});

test('P9 production does not create its own secret', async () => {
  const port = await freePort();
  const production = {
    ...outside(),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://play.example.com',
    SMTP_URL: 'smtps://127.0.0.1:1',
  };
  const without = startServer(port, production);
  expect(await without.ended).toBe(1);
  expect(without.output()).toContain('SECRET_KEY is required');
  const whole = startServer(port, { ...production, SECRET_KEY: SECRET });
  await whole.ready();
  whole.child.kill('SIGKILL');
  await whole.ended;
});

test('P50, supply: production loads no build or test dependency', async () => {
  const preload = join(import.meta.dirname, '../testing/app/no-dev-packages.child.ts');
  const environment = {
    ...outside(),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://play.backboard.test',
    SECRET_KEY: SECRET,
    SMTP_URL: 'smtps://127.0.0.1:1',
    GOOGLE_CLIENT_ID: 'backboard',
    GOOGLE_CLIENT_SECRET: 'stand-in',
    GOOGLE_ISSUER: 'https://127.0.0.1:1',
    DRAIN_SECONDS: '0',
  };
  const server = startServer(await freePort(), environment, { preload });
  await server.ready();
  const post = async (path: string, body: object) =>
    (await server.call('POST', `/api/users/auth/${path}/`, { body })).status;
  expect(await post('google/callback', { code: 'made-up' })).toBe(503);
  expect(await post('login', { email: 'ann@example.com', password: 'quiet orange kite' })).toBe(
    400,
  );
  expect(await post('register', { email: 'ann@example.com' })).toBe(201);
  expect((await server.call('GET', '/api/docs/')).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  // Proves that the preload works: outside production, the stand-in loads a development package.
  const { NODE_ENV: _, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, ...trying } = environment;
  const refused = startServer(await freePort(), { ...trying, DEV_OPEN: '1' }, { preload });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain('node_modules/oidc-provider is not there in production');
  // P46: the start warns about DEV_OPEN.
  expect(refused.output()).toContain('the development mailbox');
});
