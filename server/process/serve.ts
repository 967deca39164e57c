import { sql } from 'kysely';
import type pg from 'pg';
import { cleanUp } from '../accounts/cleanup.ts';
import { shareHashing } from '../accounts/passwords.ts';
import { IDLE_MS } from '../accounts/sessions.ts';
import { buildApp } from '../app.ts';
import { databaseClock } from '../clock.ts';
import type { Config, Settings } from '../config.ts';
import { settleContests } from '../contests/final.ts';
import { settleCups } from '../cups/settle.ts';
import { collationWarning, readCollation } from '../db/collation.ts';
import { type Connection, openDatabase, openPool } from '../db/database.ts';
import { openJobs } from '../db/jobs.ts';
import { DatabaseTooNew, MigrationBlocked, migrate } from '../db/migrate.ts';
import { openReplica } from '../db/replica.ts';
import { answerForMachines, fillDemo, lockDemoAccount } from '../demo/demo.ts';
import type { Deps } from '../deps.ts';
import { duelTeller } from '../duels/notices.ts';
import { cleanUpDuels, settleDuels } from '../duels/settle.ts';
import { isDatabaseAway } from '../errors.ts';
import { gameTeller } from '../games/notices.ts';
import { ownMetrics } from '../http/metrics.ts';
import { cleanUpBoards } from '../leaderboards/boards.ts';
import { passedTeller, tellPassed } from '../leaderboards/passed.ts';
import { keepPlaces } from '../leaderboards/places.ts';
import { mailNewOnTeams } from '../leagues/new-on-team.ts';
import { isDeclined } from '../leagues/requests.ts';
import { endSeasons } from '../leagues/season-end.ts';
import { clearMarks } from '../leagues/season-offer.ts';
import { checkAlerts } from '../machines/alerts.ts';
import { createMail } from '../mail/mail.ts';
import { nudgeByThemselves } from '../nudges/by-itself.ts';
import { nudgeTeller } from '../nudges/notices.ts';
import { cleanUpNudges } from '../nudges/nudges.ts';
import { storeUnderAge } from '../players/visibility.ts';
import { cleanUpPush } from '../push/cleanup.ts';
import { openPush } from '../push/sender.ts';
import { alertEmails } from '../staff/alerts.ts';
import { ageOut } from '../staff/audit.ts';
import { cleanUpStaff } from '../staff/sessions.ts';
import { cleanUpWeeks, tellWeeks, weekTeller } from '../weeks/weeks.ts';
import { collectMetrics, sharedMetrics } from './metrics.ts';
import { portProblem } from './port.ts';
import { keptSecret } from './secrets.ts';
import { isDraining, opened, SHUTDOWN_MS, StartProblem } from './shutdown.ts';
import { greet, progress } from './welcome.ts';
import { isWorker, NoWorker, startWorkers } from './workers.ts';

/**
 * Connections of a single process: PostgreSQL is faster with few busy ones. Several processes
 * share POOLS_SIZE, which is below PostgreSQL's default limit of 100.
 */
const POOL_SIZE = 20;
const POOLS_SIZE = 64;
/** For callers without a session (P17). */
const ANONYMOUS_SIZE = 4;
function poolSizes({ web_processes }: Pick<Settings, 'web_processes'>): {
  players: number;
  anonymous: number;
} {
  const all = Math.max(4, Math.min(POOL_SIZE, Math.floor(POOLS_SIZE / web_processes)));
  const anonymous = Math.min(ANONYMOUS_SIZE, Math.floor(all / 4));
  return { players: all - anonymous, anonymous };
}
/** Connections outside the pools: for jobs, notifications and long commands. */
const OTHER_CONNECTIONS = 5;
/** For commands such as `backup`, and for a second server that starts. */
const SPARE_CONNECTIONS = 2;

async function checkConnections(db: Deps['db'], given: Settings): Promise<void> {
  const { rows } = await sql<{ allowed: number }>`
    select sum(case when name = 'max_connections' then setting::integer else -setting::integer end)::integer
      as allowed
    from pg_settings
    where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`.execute(
    db,
  );
  const allowed = rows[0]?.allowed ?? 0;
  const { players, anonymous } = poolSizes(given);
  const each = players + anonymous + OTHER_CONNECTIONS;
  const needed = given.web_processes * each + SPARE_CONNECTIONS;
  if (needed > allowed)
    throw new StartProblem(
      `WEB_PROCESSES=${given.web_processes} needs up to ${needed} connections, but PostgreSQL allows ${allowed}. Set WEB_PROCESSES to at most ${Math.max(1, Math.floor((allowed - SPARE_CONNECTIONS) / each))}, or raise max_connections in postgresql.conf and restart PostgreSQL.`,
    );
}

/**
 * Refuses a database whose encoding is not UTF-8: it would reject or cut names (OPS-14).
 * @throws StartProblem
 */
async function checkEncoding(db: Deps['db']): Promise<void> {
  const { rows } = await sql<{ encoding: string; name: string }>`
    select current_setting('server_encoding') as encoding, current_database() as name`.execute(db);
  const [found] = rows;
  if (found !== undefined && found.encoding !== 'UTF8')
    throw new StartProblem(
      `The database ${found.name} has the encoding ${found.encoding}, but names of all languages need UTF8. Make an empty one, as the user postgres: dropdb ${found.name} && createdb -O backboard -E UTF8 -T template0 ${found.name}`,
    );
}

/**
 * Refuses a database whose lower case is that of Turkish: `IRIS` and `iris` would be two players
 * (OPS-31). Warns once about an outdated sort order.
 * @throws StartProblem
 */
async function checkCollation(db: Deps['db'], log: Deps['log']): Promise<void> {
  const collation = await readCollation(db);
  const { database } = collation;
  if (!collation.folds)
    throw new StartProblem(
      `The database ${database} takes I and i for two letters, as Turkish does: the same name could be taken twice. Make an empty one, as the user postgres: dropdb ${database} && createdb -O backboard -E UTF8 --locale=C.UTF-8 -T template0 ${database}`,
    );
  const warning = collationWarning(collation);
  if (warning !== null) log.warn(warning);
}

/** In UTC: nightly, off the hour. */
const CLEAN_UP_AT = '17 4 * * *';
/** When the places of the boards are kept (HAND-96). */
const PLACES_AT = '0 6 * * *';
/** Contests and windows of cups that are over are asked this often (FRAME-04). */
const SETTLE_EVERY_MS = 10_000;
const EVERY_MINUTE = '* * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';

/**
 * Refuses a database that acknowledges commits before they are on disk, or on the disk of its
 * synchronous standby (REL-04).
 */
async function checkDurability(db: Deps['db']): Promise<void> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'off'
      or name = 'synchronous_commit' and setting = 'local' and exists (
        select from pg_settings where name = 'synchronous_standby_names' and setting <> '')
    order by name`.execute(db);
  if (rows.some(({ setting }) => setting === 'local'))
    throw new StartProblem(
      'The database runs with synchronous_commit = local and would lose games when its standby takes over. Set it to on.',
    );
  const off = rows.map(({ name }) => `${name} = off`).join(' and ');
  if (off !== '')
    throw new StartProblem(
      `The database runs with ${off} and would lose games when the power fails. Turn ${rows.length > 1 ? 'them' : 'it'} on.`,
    );
}

/** A busy computer may take long for the first connection to the embedded database (OPS-32). */
const CONNECT_TRIES = 60;

/** Waits for a connection to the embedded database, and says so. Another one is tried once. */
async function untilConnected(pool: pg.Pool, connection: Connection): Promise<void> {
  if ('connectionString' in connection) return;
  for (let tries = 1; ; tries += 1)
    try {
      return (await pool.connect()).release();
    } catch (error) {
      if (!isDatabaseAway(error) || tries === CONNECT_TRIES) throw error;
      if (tries === 2) console.log('  This computer is busy. Waiting for the database …');
    }
}

/** Runs `work` on a separate connection, without the timeouts of requests. */
async function withOwnConnection<T>(
  connection: Connection,
  work: (pool: pg.Pool, db: Deps['db']) => Promise<T>,
): Promise<T> {
  const pool = openPool(connection, 1, () => undefined, { limits: false });
  try {
    await untilConnected(pool, connection);
    return await work(pool, openDatabase(pool));
  } finally {
    await pool.end();
  }
}

async function migrateWith(
  connection: Connection,
  given: Settings,
  log: Deps['log'],
): Promise<void> {
  try {
    await withOwnConnection(connection, async (_pool, db) => {
      await checkEncoding(db);
      await checkCollation(db, log);
      await checkDurability(db);
      await checkConnections(db, given);
      await migrate(db);
    });
  } catch (error) {
    if (error instanceof DatabaseTooNew || error instanceof MigrationBlocked)
      throw new StartProblem(error.message);
    if (isDatabaseAway(error) && 'connectionString' in connection)
      throw new StartProblem(
        `The database of DATABASE_URL cannot be reached (${(error as Error).message}). Is it running, and is the address right?`,
      );
    throw error;
  }
}

/** An unused embedded database gets the demo league (OPS-09). */
async function fillUnused(config: Config, connection: Connection): Promise<void> {
  await withOwnConnection(connection, async (pool, db) => {
    const { rows } = await sql<{ used: boolean }>`
      select exists (select from players) or exists (select from machines)
          or exists (select from leagues) as used`.execute(db);
    if (rows[0]?.used) return;
    const clock = await databaseClock(pool);
    const report = progress();
    try {
      await fillDemo({ db, clock, config }, { onProgress: report });
    } finally {
      clock.stop();
      report.end();
    }
  });
}

export type Prepared = { connection: Connection; config: Config };

async function prepare(
  connection: Connection,
  google: Config['google'],
  given: Settings,
  log: Deps['log'],
): Promise<Prepared> {
  const { data_dir } = given;
  await migrateWith(connection, given, log);
  const config: Config = {
    ...given,
    google,
    secret_keys:
      given.secret_keys === null
        ? [await keptSecret(data_dir, 'secret.key')]
        : (given.secret_keys as [string, ...string[]]),
    operator_key: given.operator_key ?? (await keptSecret(data_dir, 'operator.key')),
  };
  if (config.production)
    await withOwnConnection(connection, async (_pool, db) => {
      if (await lockDemoAccount(db)) log.warn('the demo account had its public password: replaced');
    });
  if (config.database_url === null && config.demo) await fillUnused(config, connection);
  return { connection, config };
}

/** Runs `work` every `ms`, one run at a time, until `stop`, which waits for a running one. */
function repeatedly(ms: number, work: () => Promise<unknown>, log: Deps['log']) {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((err: unknown) =>
        log.warn({ err }, 'contests or cups cannot be settled: trying again'),
      )
      .finally(() => {
        running = undefined;
      });
  }, ms).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** What each kind of notices says (PUSH-16). */
const TELLERS = {
  my_game: gameTeller,
  my_week: weekTeller,
  nudge: nudgeTeller,
  duel: duelTeller,
  passed: passedTeller,
};

/** A process that answers requests, sends mails and runs jobs. */
export async function serve({ connection, config }: Prepared, log: Deps['log']): Promise<void> {
  shareHashing(config.password_hashes, config.web_processes);
  const sizes = poolSizes(config);
  const onBroken = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  const pool = openPool(connection, sizes.players, onBroken);
  const db = openDatabase(pool);
  opened.push({ name: 'pool', close: () => db.destroy() });
  const anonymousPool = openPool(connection, sizes.anonymous, onBroken);
  const anonymous = openDatabase(anonymousPool);
  opened.push({ name: 'anonymous pool', close: () => anonymous.destroy() });
  const [clock, jobs] = await Promise.all([databaseClock(pool), openJobs({ connection, log })]);
  opened.push({ name: 'jobs', close: () => jobs.stop() });
  const [mail] = await Promise.all([
    createMail({
      config,
      jobs,
      db,
      clock,
      log,
      isDeclined: (declined) => isDeclined(db, declined),
    }),
    jobs.repeat('board-places', PLACES_AT, () =>
      withOwnConnection(connection, async (_pool, own) => ({
        places: await keepPlaces({ db: own, clock }),
      })),
    ),
    jobs.repeat('clean-up', CLEAN_UP_AT, () =>
      withOwnConnection(connection, async (_pool, own) => ({
        devices: await cleanUpPush({ db: own, clock }, IDLE_MS),
        ...(await cleanUp({ db: own, clock })),
        hidden: await storeUnderAge({ clock, config }, own),
        boards: await cleanUpBoards({ db: own, clock }),
        staff: await cleanUpStaff({ db: own, clock }),
        audit: await ageOut(own),
        weeks: await cleanUpWeeks({ db: own, clock }),
        duels: await cleanUpDuels({ db: own, clock }),
        nudges: await cleanUpNudges({ db: own, clock }),
      })),
    ),
  ]);
  await jobs.repeat(
    'alerts',
    EVERY_MINUTE,
    () => checkAlerts({ db, clock, mail, config }, alertEmails),
    { often: true },
  );
  await jobs.repeat(
    'seasons',
    EVERY_MINUTE,
    async () => ({
      ended: await endSeasons({ db, clock }),
      unmarked: await clearMarks({ db, clock }),
    }),
    { often: true },
  );
  await jobs.repeat('weeks', EVERY_MINUTE, () => tellWeeks({ db, clock }), { often: true });
  await jobs.repeat('duels', EVERY_MINUTE, () => settleDuels({ config, db, clock }), {
    often: true,
  });
  await jobs.repeat('passed', EVERY_TEN_MINUTES, () => tellPassed({ config, db, clock }), {
    often: true,
  });
  await jobs.repeat('nudges', EVERY_MINUTE, () => nudgeByThemselves({ db, clock }), {
    often: true,
  });
  await jobs.repeat(
    'new-on-teams',
    EVERY_MINUTE,
    () => mailNewOnTeams({ db, clock, config, mail }),
    {
      often: true,
    },
  );
  await jobs.repeat('demo-machines', EVERY_MINUTE, () => answerForMachines({ db, clock }), {
    often: true,
  });
  const contests = repeatedly(SETTLE_EVERY_MS, () => settleContests({ db, clock }), log);
  opened.push({ name: 'contests', close: contests.stop });
  const cups = repeatedly(SETTLE_EVERY_MS, () => settleCups({ db, clock }), log);
  opened.push({ name: 'cups', close: cups.stop });
  await mail.work();
  opened.push({ name: 'mail', close: () => mail.stop() });
  const metrics = isWorker ? sharedMetrics() : ownMetrics();
  const push = openPush({ config, db, clock, log, metrics }, TELLERS);
  push.work();
  opened.push({ name: 'notifications', close: () => push.stop() });
  const replica = openReplica(config.database_replica_url, { db, log });
  opened.push({ name: 'replica', close: () => replica.close() });

  const app = await buildApp({
    config,
    db,
    anonymous,
    anonymousPool,
    fromReplica: replica.read,
    pool,
    clock,
    mail,
    log,
    metrics,
    draining: isDraining,
    shed: config.shed,
  });
  opened.push({ name: 'http', close: () => app.close() });
  await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw portProblem(error, config);
  });
}

async function serveFromMany(prepared: Prepared, log: Deps['log']): Promise<void> {
  collectMetrics();
  const workers = startWorkers(prepared.config.web_processes, prepared, log);
  // All workers, also starting ones, must end before the database closes.
  const timeoutMs = SHUTDOWN_MS - 1_000;
  opened.push({ name: 'processes', close: () => workers.stop(), timeoutMs });
  await workers.listening.catch((error: unknown) => {
    throw error instanceof NoWorker ? new StartProblem('The processes do not start.') : error;
  });
}

/** Prepares the database, serves, and prints the address. @throws StartProblem */
export async function open(
  connection: Connection,
  google: Config['google'],
  given: Settings,
  log: Deps['log'],
): Promise<void> {
  const prepared = await prepare(connection, google, given, log);
  await (given.web_processes > 1 ? serveFromMany(prepared, log) : serve(prepared, log));
  await withOwnConnection(connection, (_pool, db) => greet({ config: prepared.config, db }));
}
