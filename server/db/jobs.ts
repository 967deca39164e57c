import type { FastifyBaseLogger } from 'fastify';
import { type Db, PgBoss } from 'pg-boss';
import { type Connection, openPool } from './database.ts';
import { openListener } from './listener.ts';

/** This many connections fetch, complete and supervise jobs. One more listens. */
const CONNECTIONS = 3;
const APPLICATION = 'backboard-jobs';
/** How often to check whether the listening connection has died silently. */
const PROBE_EVERY_MS = 10_000;
/** How often jobs of killed processes are found and retried (REL-11). */
const SUPERVISE_EVERY_S = 15;
/** Log failures only this often: without the database, every poll fails. */
const LOG_EVERY_MS = 10_000;

/** Job queues in the app's database, so that a transaction can send a job. */
export type Jobs = {
  boss: PgBoss;
  /**
   * Runs `run` by a cron expression in UTC, in one process at a time. After downtime, one run
   * replaces all that were missed. Logs the result (at `debug` if `often`). Retries a failed run
   * twice.
   */
  repeat(
    name: string,
    cron: string,
    run: () => Promise<unknown>,
    options?: { often?: boolean },
  ): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Our connections for pg-boss. Its own connections have no listener for a second error, and an
 * error without a listener ends the process (REL-07).
 */
function openConnections(connection: Connection, log: FastifyBaseLogger) {
  const pool = openPool(
    connection,
    CONNECTIONS,
    (err) => log.warn({ err }, 'job queues: a connection broke'),
    // pg-boss sends whole transactions as one text.
    { name: APPLICATION, pipeline: false },
  );
  const db: Db = {
    executeSql: (text, values) => pool.query(text, values),
    listen: async (channel, onNotification, onReconnect) => {
      const listener = openListener({ pool, log }, { channel, name: APPLICATION });
      listener.subscribe({ onNotification, onGap: onReconnect });
      // Without a connection, pg-boss polls until the listener has one.
      await listener.listening().then(onReconnect, () => undefined);
      const probes = setInterval(() => listener.probe(), PROBE_EVERY_MS);
      return {
        close: () => {
          clearInterval(probes);
          return listener.close();
        },
      };
    },
  };
  return { db, close: () => pool.end() };
}

/** Installs or upgrades pg-boss's tables (about 50 ms), and supervises the queues. */
export async function openJobs({
  connection,
  log,
}: {
  connection: Connection;
  log: FastifyBaseLogger;
}): Promise<Jobs> {
  const { db, close } = openConnections(connection, log);
  const boss = new PgBoss({
    db,
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_EVERY_S,
    monitorIntervalSeconds: SUPERVISE_EVERY_S,
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.error({ err: error }, 'job queues: an error');
  });
  boss.on('warning', ({ message }) => log.warn(`job queues: ${message}`));
  await boss.start();

  const repeated: string[] = [];
  return {
    boss,
    repeat: async (name, cron, run, { often = false } = {}) => {
      await boss.createQueue(name);
      await boss.schedule(name, cron, null, { missed: 'once' });
      await boss.work(name, async () => {
        try {
          log[often ? 'debug' : 'info']({ result: await run() }, `${name}: done`);
        } catch (error) {
          log.error({ err: error }, `${name}: failed`);
          throw error;
        }
      });
      repeated.push(name);
    },
    stop: async () => {
      // Wait here, because boss.stop() checks running jobs only twice a second.
      await Promise.all(repeated.map((name) => boss.offWork(name, { wait: true })));
      await boss.stop();
      await close();
    },
  };
}
