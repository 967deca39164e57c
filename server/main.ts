import { resolve } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { cleanUp } from './accounts/accounts.ts';
import { shareHashing } from './accounts/passwords.ts';
import { buildApp, type Deps } from './app.ts';
import { databaseClock } from './clock.ts';
import { BadConfiguration, type Config, readSettings, type Settings } from './config.ts';
import { type Connection, openDatabase, openPool } from './db/database.ts';
import { openEmbedded } from './db/embedded.ts';
import { EmbeddedDatabaseError } from './db/embedded-errors.ts';
import { DatabaseTooNew, migrate } from './db/migrate.ts';
import { openReplica } from './db/replica.ts';
import { fillDemo } from './demo/demo.ts';
import { isDatabaseAway } from './errors.ts';
import { openJobs } from './jobs.ts';
import { serverLogger } from './log.ts';
import { createMail } from './mail/mail.ts';
import { keptSecret } from './secrets.ts';
import { greet, progress } from './welcome.ts';
import { handedOver, isWorker, NoWorker, onStop, startWorkers } from './workers.ts';

/**
 * Enough for two cores; PostgreSQL is quicker with few busy connections than with many. Several
 * processes share 64: each has five more for jobs and listening, and PostgreSQL has a hundred.
 */
const POOL_SIZE = 16;
const POOLS_SIZE = 64;
const poolSize = ({ web_processes }: Config) =>
  Math.max(4, Math.min(POOL_SIZE, Math.floor(POOLS_SIZE / web_processes)));
/** A cron expression in UTC: every night, at no full hour. */
const CLEAN_UP_AT = '17 4 * * *';
/** P41: requests that came in before the signal get this long, and everything this long. */
const FINISH_MS = 20_000;
const SHUTDOWN_MS = 30_000;

/** Something that the operator can mend: one line, no stack. */
class StartProblem extends Error {}

type Closer = { name: string; close: () => Promise<unknown>; patienceMs?: number };

/** Opened last, closed first. */
const opened: Closer[] = [];
let draining = false;

function settings(): Settings {
  try {
    // This file is the process, so the environment enters here and nowhere else.
    return readSettings(process.env);
  } catch (error) {
    if (error instanceof BadConfiguration) throw new StartProblem(error.message);
    throw error;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(done, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function closeAll(log: Deps['log'] | undefined): Promise<void> {
  for (const { name, close, patienceMs = FINISH_MS } of opened.splice(0).reverse())
    await within(patienceMs, close()).catch((error: unknown) =>
      log?.error({ err: error }, `closing: ${name}`),
    );
}

/** REL-04: a database that answers before the disk has the row would make every promise untrue. */
async function checkDurability(db: Deps['db']): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'`.execute(
    db,
  );
  const [off] = rows;
  if (off)
    throw new StartProblem(
      `The database runs with ${off.name} = off and would lose games when the power fails. Turn it on.`,
    );
}

async function openData(settings: Settings, log: Deps['log']): Promise<Connection> {
  if (settings.database_url !== null) return { connectionString: settings.database_url };
  const embedded = await openEmbedded({
    dataDir: settings.data_dir,
    log: (line) => log.info({ from: 'database' }, line),
  }).catch((error: unknown) => {
    throw error instanceof EmbeddedDatabaseError ? new StartProblem(error.message) : error;
  });
  opened.push({ name: 'database', close: () => embedded.stop() });
  return embedded.connection;
}

/** One connection for work before the start, without the limits of requests: it may take its time. */
async function withPatience<T>(
  connection: Connection,
  work: (pool: pg.Pool, db: Deps['db']) => Promise<T>,
): Promise<T> {
  const pool = openPool(connection, 1, () => undefined, { limits: false });
  try {
    return await work(pool, openDatabase(pool));
  } finally {
    await pool.end();
  }
}

async function migrateWith(connection: Connection): Promise<void> {
  try {
    await withPatience(connection, async (_pool, db) => {
      await checkDurability(db);
      await migrate(db);
    });
  } catch (error) {
    if (error instanceof DatabaseTooNew) throw new StartProblem(error.message);
    if (isDatabaseAway(error) && 'connectionString' in connection)
      throw new StartProblem(
        `The database of DATABASE_URL cannot be reached (${(error as Error).message}). Is it running, and is the address right?`,
      );
    throw error;
  }
}

/** What the stand-in and this process tell each other; it guards nothing. */
const STAND_IN_CLIENT = { client_id: 'backboard', client_secret: 'stand-in' };

/**
 * Without Google's settings a local provider plays Google, so that the button can be tried; never
 * in production (contract 6). Its port is a fixed one, because an identity is bound to the issuer.
 */
async function openGoogle(given: Settings): Promise<Config['google']> {
  if (given.google !== null || given.production) return given.google;
  // Loaded only here: a production start needs none of it, nor is it installed there.
  const { startStandIn } = await import('../standin/provider.ts');
  const options = { ...STAND_IN_CLIENT, redirect_uri: `${given.public_url}/auth/google/callback` };
  const standIn = await startStandIn({ ...options, port: given.port + 2 }).catch(() =>
    startStandIn({ ...options, port: 0 }),
  );
  opened.push({ name: 'stand-in for Google', close: () => standIn.stop() });
  return { ...STAND_IN_CLIENT, issuer: standIn.issuer };
}

/** The demo league, on the first start of an embedded database that nobody has used (contract 6). */
async function fillFirst(config: Config, connection: Connection): Promise<void> {
  await withPatience(connection, async (pool, db) => {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select from players) or exists (select from machines)
          or exists (select from leagues) as used`.execute(db);
    if (rows[0]?.used) return;
    const clock = await databaseClock(pool);
    const tell = progress();
    try {
      await fillDemo({ config, clock, pool }, { onProgress: tell });
    } finally {
      clock.stop();
      tell.end();
    }
  });
}

/** What the process that serves needs, alone or one of several. */
type Prepared = { connection: Connection; config: Config };

/** Everything that is done once, however many processes serve: data, schema, secrets. */
async function prepare(given: Settings, log: Deps['log']): Promise<Prepared> {
  const data_dir = resolve(given.data_dir);
  const [connection, google] = await Promise.all([
    openData({ ...given, data_dir }, log),
    openGoogle(given),
  ]);
  await migrateWith(connection);
  const config: Config = {
    ...given,
    data_dir,
    google,
    secret_keys:
      given.secret_keys === null
        ? [await keptSecret(data_dir, 'secret.key')]
        : (given.secret_keys as [string, ...string[]]),
    operator_key: given.operator_key ?? (await keptSecret(data_dir, 'operator.key')),
  };
  if (config.database_url === null && config.demo) await fillFirst(config, connection);
  return { connection, config };
}

/** Answers requests, sends mails and does jobs. */
async function serve({ connection, config }: Prepared, log: Deps['log']): Promise<void> {
  shareHashing(config.web_processes);
  const pool = openPool(connection, poolSize(config), (error) =>
    log.warn({ err: error }, 'a database connection broke'),
  );
  const db = openDatabase(pool);
  opened.push({ name: 'pool', close: () => db.destroy() });
  const clock = await databaseClock(pool);
  const jobs = await openJobs({ connection, log });
  opened.push({ name: 'jobs', close: () => jobs.stop() });
  await jobs.repeat('clean-up', CLEAN_UP_AT, () => cleanUp({ db, clock }));
  const mail = await createMail({ config, jobs, db, clock, log });
  await mail.work();
  opened.push({ name: 'mail', close: () => mail.stop() });
  const older = openReplica({ db, config, log });
  opened.push({ name: 'replica', close: () => older.close() });

  const app = await buildApp({
    config,
    db,
    older: older.read,
    pool,
    clock,
    mail,
    log,
    draining: () => draining,
    shed: config.shed,
  });
  opened.push({ name: 'http', close: () => app.close() });
  await app
    .listen({ host: config.host, port: config.port })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        throw new StartProblem(
          `Port ${config.port} is in use. Stop the other program, or choose another port: PORT=3001 npm start`,
        );
      throw error;
    });
}

/** Serves from several processes, which share the port; this one looks after them. */
async function serveFromMany(prepared: Prepared, log: Deps['log']): Promise<void> {
  const workers = await startWorkers(prepared.config.web_processes, prepared, log).catch(
    (error: unknown) => {
      throw error instanceof NoWorker ? new StartProblem('The processes do not start.') : error;
    },
  );
  // They make the pause, and finish what they have begun, before the database goes.
  const patienceMs = SHUTDOWN_MS - 1_000;
  opened.push({ name: 'processes', close: () => workers.stop(), patienceMs });
}

async function start(): Promise<void> {
  const given = settings();
  const log = serverLogger(given.log_level);
  const many = given.web_processes > 1;
  // Those that serve make the pause for the balancer, if there are several.
  const drainMs = many && !isWorker ? 0 : given.drain_ms;
  // From here on a signal stops in order whatever has been opened so far.
  const stop = (signal: string) => void shutDown(log, drainMs, signal, 0);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      log.fatal({ err: error }, event);
      void shutDown(log, 0, event, 1);
    });

  if (isWorker) {
    // A signal may have come to all processes at once, and the same wish after it.
    onStop(() => draining || stop('the main process stops'));
    return serve(await handedOver<Prepared>(), log);
  }
  const prepared = await prepare(given, log);
  await (many ? serveFromMany(prepared, log) : serve(prepared, log));
  await withPatience(prepared.connection, (_pool, db) => greet({ config: prepared.config, db }));
}

/** P41: red at once, a pause for the balancer to see it, then finish, close in order, exit. */
async function shutDown(
  log: Deps['log'] | undefined,
  drainMs: number,
  reason: string,
  code: number,
): Promise<void> {
  if (draining) process.exit(code === 0 ? 130 : code);
  draining = true;
  log?.info({ reason }, 'shutting down');
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
  await new Promise((done) => setTimeout(done, drainMs));
  await closeAll(log);
  process.exit(code);
}

try {
  await start();
} catch (error) {
  if (!draining) {
    console.error(error instanceof StartProblem ? error.message : error);
    await closeAll(undefined);
    process.exit(1);
  }
}
