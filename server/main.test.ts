import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { Connection } from './db/database.ts';
import { appOn } from './test/app.ts';
import { execute, onDatabase } from './test/cluster.ts';
import { hear } from './test/live.ts';
import { aGame, makeMachine, makePlayer, makeSession } from './test/make.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
const SECRET = 'TzC7mX0pQ4vN9sLbK2wR8eYhU3aJ6dGf';

/** The test server's address in the one-line form that operators write. */
function address(connection: Connection, database: string): string {
  if ('connectionString' in connection) {
    const url = new URL(connection.connectionString);
    url.pathname = `/${database}`;
    return url.href;
  }
  const { host, port, user, password } = connection;
  const query = new URLSearchParams({ host, port: String(port), user, password });
  return `postgres:///${database}?${query}`;
}

async function listening(): Promise<{ port: number; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return { port: typeof at === 'object' && at !== null ? at.port : 0, server };
}

async function freePort(): Promise<number> {
  const { port, server } = await listening();
  server.close();
  await once(server, 'close');
  return port;
}

type Run = {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
  ready(port: number): Promise<void>;
};

const running = new Set<ChildProcess>();

function run(environment: Record<string, string>): Run {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', DEMO: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    output: () => output,
    ended,
    ready: async (port) => {
      while (child.exitCode === null) {
        const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
        if (answer?.ok) return;
        await new Promise((done) => setTimeout(done, 20));
      }
      throw new Error(`it ended before it was ready:\n${output}`);
    },
  };
}

let folder: string;
let database: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backboard-main-'));
  database = `t_${randomBytes(6).toString('hex')}`;
  databaseUrl = address(inject('connection'), database);
  await execute(inject('connection'), `create database ${database}`);
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(async () => {
  await execute(inject('connection'), `drop database ${database} with (force)`);
  await rm(folder, { recursive: true, force: true });
});

const outside = (port: number) => ({
  PORT: String(port),
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
});

test('REL-20 a bad configuration ends the start with its names, before the port opens', async () => {
  const bad = run({ NODE_ENV: 'production', PORT: 'eighty', SECRET_KEY: 'short' });
  expect(await bad.ended).toBe(1);
  for (const name of ['PORT', 'SECRET_KEY', 'PUBLIC_URL', 'DATABASE_URL', 'SMTP_URL'])
    expect(bad.output()).toContain(name);
  expect(bad.output()).not.toMatch(/\bat .*\.ts:\d/);
});

test('a port in use and a database that is not there are one clear line each', async () => {
  const { port, server } = await listening();
  const second = run(outside(port));
  expect(await second.ended).toBe(1);
  expect(second.output().trim()).toBe(
    `Port ${port} is in use. Stop the other program, or choose another port: PORT=3001 npm start`,
  );
  server.close();

  const lost = run({
    ...outside(await freePort()),
    DATABASE_URL: 'postgres://127.0.0.1:1/nowhere',
  });
  expect(await lost.ended).toBe(1);
  expect(lost.output()).toMatch(/^The database of DATABASE_URL cannot be reached \(.*ECONNREFUSED/);
  expect(lost.output().trim().split('\n')).toHaveLength(1);
});

test('an outside database is migrated and served by the same code; its secrets are made once', async () => {
  const port = await freePort();
  const first = run(outside(port));
  await first.ready(port);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const key = await readFile(join(folder, 'operator.key'), 'utf8');
  expect((await stat(join(folder, 'operator.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);

  const again = run(outside(port));
  await again.ready(port);
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
  expect(await readFile(join(folder, 'operator.key'), 'utf8')).toBe(key);
});

test('P41 SIGTERM: ready turns red at once, what was accepted is answered, the end is orderly', async () => {
  const port = await freePort();
  const one = run({ ...outside(port), DRAIN_SECONDS: '1' });
  await one.ready(port);
  const url = `http://127.0.0.1:${port}`;
  one.child.kill('SIGTERM');
  const red = async () => (await fetch(`${url}/health/ready`)).status;
  await expect.poll(red).toBe(503);
  // Between the red light and the closed door, everything is still answered.
  expect((await fetch(`${url}/api/config/`)).status).toBe(200);
  expect(await one.ended).toBe(0);
  await expect(fetch(`${url}/health/live`)).rejects.toThrow();
});

test('a game posted to one process is heard at another, which ends without waiting for its streams', async () => {
  const [port, otherPort] = [await freePort(), await freePort()];
  // Behind one address, as several processes are.
  const shared = { SECRET_KEY: SECRET, PUBLIC_URL: 'http://localhost:3000' };
  const one = run({ ...outside(port), ...shared });
  await one.ready(port);
  const other = run({ ...outside(otherPort), ...shared });
  await other.ready(otherPort);
  const t = await appOn(onDatabase(inject('connection'), database));
  const [player, machine] = [await makePlayer(t), await makeMachine(t)];
  const { access } = await makeSession(t, player);
  const stream = await hear(`http://127.0.0.1:${otherPort}`, access);
  const answer = await fetch(`http://127.0.0.1:${port}/api/machine/games/`, {
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

test('P41 a second signal ends at once', async () => {
  const port = await freePort();
  const one = run({ ...outside(port), DRAIN_SECONDS: '60' });
  await one.ready(port);
  one.child.kill('SIGINT');
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status)
    .toBe(503);
  one.child.kill('SIGINT');
  expect(await one.ended).toBe(130);
});

test('P9 production refuses to make its own secret', async () => {
  const port = await freePort();
  const production = {
    ...outside(port),
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://play.example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
  const without = run(production);
  expect(await without.ended).toBe(1);
  expect(without.output()).toContain('SECRET_KEY is required');
  const whole = run({ ...production, SECRET_KEY: SECRET });
  await whole.ready(port);
  whole.child.kill('SIGKILL');
  await whole.ended;
});
