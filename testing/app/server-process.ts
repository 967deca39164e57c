import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inject, vi } from 'vitest';
import { readSettings } from '../../server/config.ts';
import { type Connection, openDatabase, openPool } from '../../server/db/database.ts';
import { COMPILED } from '../compiled.ts';
import { type KeptMail, keptMails } from './mails.ts';
import type { World } from './make.ts';
import { type Answer, type CallOptions, OPERATOR_KEY, SECRET } from './test-app.ts';
import { dropDatabase, execute, onDatabase } from './test-database.ts';

/** Options of `expect.poll` for tests with processes, which start slowly beside other tests. */
export const slowPoll = { timeout: 90_000, interval: 20 };
/** Call this before the first test of a file whose tests start processes. */
export function allowSlowTests(): void {
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
}

const MAIN = join(import.meta.dirname, '../../server/main.ts');

/** The URL of a database on the test server, for DATABASE_URL. */
export function address(connection: Connection, database: string): string {
  if ('connectionString' in connection) {
    const url = new URL(connection.connectionString);
    url.pathname = `/${database}`;
    return url.href;
  }
  const { host, port, user, password } = connection;
  const query = new URLSearchParams({ host, port: String(port), user, password });
  return `postgres:///${database}?${query}`;
}

export async function listening(
  server: Server = createServer(),
): Promise<{ port: number; server: Server }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return { port: typeof at === 'object' && at !== null ? at.port : 0, server };
}

export type ServerProcess = {
  child: ChildProcess;
  url: string;
  output(): string;
  /** The exit code, or null after a signal. */
  ended: Promise<number | null>;
  /** @throws Error if the server exits first */
  ready(): Promise<void>;
  /** `TestApp.call` over a real socket. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
};

const running = new Set<ChildProcess>();

export function killServers(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function call(
  url: string,
  method: string,
  path: string,
  { body, as, headers, ip }: CallOptions = {},
): Promise<Answer> {
  const token = as && ('access' in as ? as.access : as.key);
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(ip === undefined ? {} : { 'x-forwarded-for': ip }),
      ...headers,
    },
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.startsWith('application/json');
  return {
    status: answer.status,
    body: json && text !== '' ? JSON.parse(text) : text,
    headers: Object.fromEntries(answer.headers),
  };
}

/** Starts `server/main.ts` on `port`, after the module `preload`. */
export function startServer(
  port: number,
  environment: Record<string, string>,
  { preload }: { preload?: string } = {},
): ServerProcess {
  const args = [...(preload === undefined ? [] : ['--import', preload]), MAIN];
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH ?? '',
      DEMO: '0',
      PORT: String(port),
      NODE_COMPILE_CACHE: COMPILED,
      // Tests can overload a slow computer, so do not shed calls.
      SHED: '0',
      ...environment,
    },
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
  const url = `http://127.0.0.1:${port}`;
  return {
    child,
    url,
    output: () => output,
    ended,
    ready: async () => {
      while (child.exitCode === null && child.signalCode === null) {
        const answer = await fetch(`${url}/health/ready`).catch(() => null);
        if (answer?.ok) return;
        await sleep(20);
      }
      throw new Error(`it ended before it was ready:\n${output}`);
    },
    call: (method, path, options) => call(url, method, path, options),
  };
}

export type Shared = World & {
  pool: pg.Pool;
  /** The variables of server processes, which trust X-Forwarded-For from 127.0.0.1. */
  environment: Record<string, string>;
  mails(to?: string): Promise<KeptMail[]>;
  close(): Promise<void>;
};

/** A database shared with server processes, with the same keys. */
export async function shareDatabase(connection: Connection, database: string): Promise<Shared> {
  const folder = await mkdtemp(join(tmpdir(), 'backboard-server-'));
  const environment = {
    DATABASE_URL: address(connection, database),
    DATA_DIR: folder,
    SECRET_KEY: SECRET,
    BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
    PUBLIC_URL: 'http://localhost:3000',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const pool = openPool(onDatabase(connection, database), 8, () => undefined);
  const db = openDatabase(pool);
  return {
    environment,
    pool,
    db,
    mails: (to) => keptMails(db, to),
    clock: { now: () => new Date() },
    config: {
      ...readSettings(environment),
      secret_keys: [SECRET],
      operator_key: OPERATOR_KEY,
    },
    close: async () => {
      killServers();
      await pool.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `shareDatabase` on a copy of the migrated template, which `close` drops. */
export async function openSharedDatabase(): Promise<Shared> {
  const connection = inject('connection');
  const database = `t_${randomBytes(6).toString('hex')}`;
  await execute(connection, `create database ${database} template ${inject('template')}`);
  const shared = await shareDatabase(connection, database);
  return {
    ...shared,
    close: async () => {
      await shared.close();
      await dropDatabase(connection, database);
    },
  };
}
