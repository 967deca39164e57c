import { shareHashing } from '../accounts/passwords.ts';
import { buildApp } from '../app.ts';
import { databaseClock } from '../clock.ts';
import type { Config, Settings } from '../config.ts';
import { type Connection, openDatabase, openPool } from '../db/database.ts';
import { openJobs } from '../db/jobs.ts';
import { openReplica } from '../db/replica.ts';
import type { Deps } from '../deps.ts';
import { duelTeller } from '../duels/notices.ts';
import { gameTeller } from '../games/notices.ts';
import { ownMetrics } from '../http/metrics.ts';
import { passedTeller } from '../leaderboards/passed.ts';
import { isDeclined } from '../leagues/requests.ts';
import { createMail } from '../mail/mail.ts';
import { nudgeTeller } from '../nudges/notices.ts';
import { currentPair } from '../push/keys.ts';
import { openPush } from '../push/sender.ts';
import { weekTeller } from '../weeks/weeks.ts';
import { schedule } from './jobs.ts';
import { collectMetrics, sharedMetrics } from './metrics.ts';
import { poolSizes, withOwnConnection } from './pools.ts';
import { portProblem } from './port.ts';
import { type Prepared, prepare } from './prepare.ts';
import { isDraining, opened, SHUTDOWN_MS, StartProblem } from './shutdown.ts';
import { greet } from './welcome.ts';
import { isWorker, NoWorker, startWorkers } from './workers.ts';

/** The teller of each kind of notice gives its rank and its words (PUSH-15, PUSH-16). */
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
  const mail = await createMail({
    config,
    jobs,
    db,
    clock,
    log,
    isDeclined: (declined) => isDeclined(db, declined),
  });
  const scheduled = await schedule({ config, db, clock, mail, jobs, log, connection });
  opened.push({ name: 'contests and cups', close: scheduled.stop });
  await mail.work();
  opened.push({ name: 'mail', close: () => mail.stop() });
  const metrics = isWorker ? sharedMetrics() : ownMetrics();
  const push = openPush({ config, db, clock, log, metrics }, TELLERS);
  if (config.push !== null) await currentPair({ config, db, clock, log });
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
  // All workers, even those still starting, must end before the database closes.
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
