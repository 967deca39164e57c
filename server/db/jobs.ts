import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import { type Connection, LIMITS_MS } from './database.ts';

/** These fetch, complete and supervise jobs. pg-boss opens one more to LISTEN. */
const CONNECTIONS = 3;
/** How often jobs of killed processes are found and retried (REL-11). */
const SUPERVISE_EVERY_S = 15;
/** Log failures only this often: without the database, every poll fails. */
const LOG_EVERY_MS = 10_000;

/** Job queues in the app's database: a transaction can send a job. */
export type Jobs = {
  boss: PgBoss;
  /**
   * Runs `run` by a cron expression in UTC, in one process at a time. After a downtime, one run
   * replaces the missed ones. Logs the result (at `debug` if `often`). Retries a failed run twice.
   */
  repeat(
    name: string,
    cron: string,
    run: () => Promise<unknown>,
    options?: { often?: boolean },
  ): Promise<void>;
  stop(): Promise<void>;
};

/** Installs or upgrades pg-boss's tables (about 50 ms), and supervises the queues. */
export async function openJobs({
  connection,
  log,
}: {
  connection: Connection;
  log: FastifyBaseLogger;
}): Promise<Jobs> {
  const boss = new PgBoss({
    ...connection,
    ...LIMITS_MS,
    application_name: 'backboard-jobs',
    max: CONNECTIONS,
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
    },
  };
}
