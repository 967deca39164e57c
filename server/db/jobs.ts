import type { FastifyBaseLogger } from 'fastify';
import { PgBoss } from 'pg-boss';
import { type Connection, LIMITS_MS } from './database.ts';

/** Work beside the requests: fetching, settling and watching over jobs; the listener has its own. */
const CONNECTIONS = 3;
/** How soon the jobs of a process that was killed are noticed and given out again (REL-11). */
const SUPERVISE_EVERY_S = 15;
/** A database that is away fails every poll; one line in this time says enough. */
const COMPLAIN_EVERY_MS = 10_000;

/** The queues, in the same database: a job is sent in the transaction of the change it belongs to. */
export type Jobs = {
  boss: PgBoss;
  /**
   * Runs `run` by a cron expression in UTC, on one process at a time; a run that was missed while
   * nothing was up is made up for once. What it returns is logged; a failed run is tried twice more.
   */
  repeat(name: string, cron: string, run: () => Promise<unknown>): Promise<void>;
  /** Lets running work end, then closes the connections. */
  stop(): Promise<void>;
};

/** Installs or upgrades the tables of the queues and starts watching over them; some 50 ms. */
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
  let complained = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (performance.now() - complained < COMPLAIN_EVERY_MS) return;
    complained = performance.now();
    log.error({ err: error }, 'the queues have trouble');
  });
  boss.on('warning', ({ message }) => log.warn(`the queues: ${message}`));
  await boss.start();

  const repeated: string[] = [];
  return {
    boss,
    repeat: async (name, cron, run) => {
      await boss.createQueue(name);
      await boss.schedule(name, cron, null, { missed: 'once' });
      await boss.work(name, async () => {
        try {
          log.info({ result: await run() }, `${name}: done`);
        } catch (error) {
          log.error({ err: error }, `${name}: failed`);
          throw error;
        }
      });
      repeated.push(name);
    },
    stop: async () => {
      // Stopped one by one first: boss.stop() alone looks only twice a second whether they are.
      await Promise.all(repeated.map((name) => boss.offWork(name, { wait: true })));
      await boss.stop();
    },
  };
}
