import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeAll, inject } from 'vitest';
import { buildApp } from '../../server/app.ts';
import type { Clock } from '../../server/clock.ts';
import { type Config, readSettings } from '../../server/config.ts';
import {
  type Connection,
  type Database,
  openDatabase,
  openPool,
} from '../../server/db/database.ts';
import type { Deps } from '../../server/deps.ts';
import { ownMetrics } from '../../server/http/metrics.ts';
import type { App } from '../../server/http/scope.ts';
import { serverLogger } from '../../server/log.ts';
import type { Mail } from '../../server/mail/mail.ts';
import { type KeptMail, keptMails } from './mails.ts';
import { execute, onDatabase } from './test-database.ts';

/**
 * Large enough that 50 concurrent requests do not queue for long, because queueing hides races.
 * Small enough that four test workers' apps stay below the test server's limit.
 */
const POOL_SIZE = 15;
export const SECRET = 'TzC7mX0pQ4vN9sLbK2wR8eYhU3aJ6dGf';
export const OPERATOR_KEY = 'Vw5nB8xK1tQ9mZ3cR7yL2pH6sD4fJ0aE';

/** The real time, which tests can advance. */
export type TestClock = Clock & { advance(ms: number): void };

function testClock(): TestClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (ms) => {
      ahead += ms;
    },
  };
}

function keptMail(clock: Clock): Mail {
  return {
    enqueue: async (db, { to, subject, text, html }) => {
      await db
        .insertInto('kept_mails')
        .values({ sent_at: clock.now(), recipient: to, subject, text, html })
        .execute();
    },
    figures: async () => ({ waiting: 0, attempts: {} }),
    listWaiting: async () => [],
  };
}

export type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any;
  headers: Record<string, string | string[] | number | undefined>;
};
export type CallOptions = {
  body?: unknown;
  /** A player's access token, or a machine's or the operator's key. */
  as?: { access: string } | { key: string };
  headers?: Record<string, string>;
  ip?: string;
};

export type TestApp = Deps & {
  app: App;
  clock: TestClock;
  /** Calls without a socket. A string as `body` is sent as it is. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  mails(to?: string): Promise<KeptMail[]>;
  /** One connection without a request's limits (P38), for what tests insert in bulk. */
  unlimited: Database;
  /** Another app on this database, like a second process. */
  sibling(more?: Partial<Config>): Promise<TestApp>;
  close(): Promise<void>;
};

/** The real app on a migrated database. */
export async function appOn(
  connection: Connection,
  overrides: Partial<Config> = {},
  clock: TestClock = testClock(),
  log: FastifyBaseLogger = serverLogger('silent'),
): Promise<TestApp> {
  const pool = openPool(connection, POOL_SIZE, () => undefined);
  const db = openDatabase(pool);
  const unlimited = openDatabase(openPool(connection, 1, () => undefined, { limits: false }));
  const config: Config = {
    ...readSettings({ PUBLIC_URL: 'http://localhost:3000', LOG_LEVEL: 'silent', WORK_BITS: '8' }),
    secret_keys: [SECRET],
    operator_key: OPERATOR_KEY,
    ...overrides,
  };
  const deps: Deps = {
    config,
    db,
    anonymous: db,
    anonymousPool: pool,
    fromReplica: (read) => read(db),
    pool,
    clock,
    mail: keptMail(clock),
    log,
    metrics: ownMetrics(),
    draining: () => false,
    // Tests can overload a slow computer, so do not shed calls.
    shed: false,
  };
  const app = await buildApp(deps);
  await app.ready();
  const siblings: TestApp[] = [];

  return {
    ...deps,
    app,
    clock,
    unlimited,
    call: async (method, path, { body, as, headers, ip } = {}) => {
      const token = as && ('access' in as ? as.access : as.key);
      const answer = await app.inject({
        // biome-ignore lint/suspicious/noExplicitAny: tests also send unusual methods
        method: method as any,
        url: path,
        ...(body === undefined
          ? {}
          : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(ip === undefined ? {} : { remoteAddress: ip }),
      });
      const json = String(answer.headers['content-type']).startsWith('application/json');
      return {
        status: answer.statusCode,
        body: json && answer.body !== '' ? answer.json() : answer.body,
        headers: answer.headers,
      };
    },
    mails: (to) => keptMails(db, to),
    sibling: async (more = {}) => {
      const other = await appOn(connection, { ...overrides, ...more }, clock, log);
      siblings.push(other);
      return other;
    },
    close: async () => {
      for (const other of siblings) await other.close();
      await app.close();
      await unlimited.destroy();
      await db.destroy();
    },
  };
}

/** The real app on a copy of the migrated template, which `close` drops. */
export async function testApp(
  overrides: Partial<Config> = {},
  log?: FastifyBaseLogger,
): Promise<TestApp> {
  const database = `t_${randomBytes(6).toString('hex')}`;
  await execute(inject('connection'), `create database ${database} template ${inject('template')}`);
  const app = await appOn(onDatabase(inject('connection'), database), overrides, testClock(), log);
  return {
    ...app,
    close: async () => {
      await app.close();
      // Fails if the app left a connection open.
      await execute(inject('connection'), `drop database ${database}`);
    },
  };
}

/**
 * `testApp` for all tests of a file. Call this once, at the top, before other hooks: its app opens
 * first and closes last. What it returns is set only in tests and hooks.
 */
export function withApp(overrides: Partial<Config> = {}, log?: FastifyBaseLogger): TestApp {
  const t = {} as TestApp;
  beforeAll(async () => {
    Object.assign(t, await testApp(overrides, log));
  });
  afterAll(() => t.close());
  return t;
}
