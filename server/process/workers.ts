import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';

/** A process that dies at once would otherwise be started again as fast as it dies. */
const START_AGAIN_MS = 1_000;
const STOP = 'stop';

/** Whether this process is one of several that share a port (WEB_PROCESSES). */
export const isWorker = cluster.isWorker;

/** In such a process: what `startWorkers` hands over. */
export function handedOver<T>(): Promise<T> {
  return new Promise((resolve) => process.once('message', (given) => resolve(given as T)));
}

/** In such a process: hears when it has to stop. Without the main process it ends by itself. */
export function onStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** The first of the processes did not begin to listen; it has said why. */
export class NoWorker extends Error {}

/**
 * Runs `count` processes of this program that share the port, hands each what it needs, and starts
 * another in the place of one that dies (REL-19). Resolves once all of them listen; one that died
 * before that is not waited for again.
 * @throws NoWorker when the very first did.
 */
export async function startWorkers(
  count: number,
  given: object,
  log: FastifyBaseLogger,
): Promise<{ stop(): Promise<void> }> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)) });
  const ends = new Set<Promise<void>>();
  let stopping = false;

  function start(): Promise<boolean> {
    const worker = cluster.fork();
    worker.once('online', () => worker.send(given));
    // Its end may come in the middle of a message.
    worker.on('error', (error) => log.warn({ err: error }, 'a process cannot be told'));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        ends.delete(ended);
        resolve();
        if (!stopping) log.error({ code, signal }, 'a process ended: starting another');
      });
    });
    ends.add(ended);
    const listens = new Promise<boolean>((resolve) => {
      worker.once('listening', () => resolve(true));
      void ended.then(() => resolve(false));
    });
    // From when it has listened once, there is always another in its place.
    void Promise.all([listens, ended]).then(async ([listened]) => {
      if (!listened && !begun) return;
      await sleep(START_AGAIN_MS);
      if (!stopping) void start();
    });
    return listens;
  }

  let begun = false;
  // One before the others: what is wrong is said once.
  if (!(await start())) throw new NoWorker();
  begun = true;
  await Promise.all(Array.from({ length: count - 1 }, start));
  return {
    stop: async () => {
      stopping = true;
      for (const worker of Object.values(cluster.workers ?? {}))
        if (worker?.isConnected()) worker.send(STOP);
      await Promise.all(ends);
    },
  };
}
