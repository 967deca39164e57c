import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';

/** The delay before a dead worker is replaced, so that crashes at start do not spin. */
const RESTART_DELAY_MS = 1_000;
const STOP = 'stop';

export const isWorker = cluster.isWorker;

/** Called in a worker: resolves with the primary's payload. */
export function receivePayload<T>(): Promise<T> {
  return new Promise((resolve) => process.once('message', (payload) => resolve(payload as T)));
}

/**
 * In a worker: calls `stop` when the primary sends STOP. Node ends the worker if the primary dies.
 */
export function onStop(stop: () => void): void {
  process.on('message', (message) => {
    if (message === STOP) stop();
  });
}

/** The first worker died before it listened. Its log says why. */
export class NoWorker extends Error {}

type Workers = {
  /** Resolves when each worker listens or has died. Rejects with NoWorker. */
  listening: Promise<void>;
  /** Resolves when all workers have ended (P41). */
  stop(): Promise<void>;
};

/** Starts `count` workers on one port with the payload, and replaces dead ones (REL-19). */
export function startWorkers(count: number, payload: object, log: FastifyBaseLogger): Workers {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.ts', import.meta.url)) });
  const ends = new Set<Promise<void>>();
  /**
   * The workers that were sent the payload. A worker takes its first message as the payload, so
   * STOP must come later.
   */
  const ready = new Set<Worker>();
  let stopping = false;

  function start(): Promise<boolean> {
    const worker = cluster.fork();
    worker.once('online', () => {
      worker.send(payload);
      ready.add(worker);
      if (stopping) worker.send(STOP);
    });
    // A worker can die during a send.
    worker.on('error', (error) => log.warn({ err: error }, 'cannot send to a worker'));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', (code, signal) => {
        ends.delete(ended);
        ready.delete(worker);
        resolve();
        if (!stopping) log.error({ code, signal }, 'a worker ended: starting another');
      });
    });
    ends.add(ended);
    const listens = new Promise<boolean>((resolve) => {
      worker.once('listening', () => resolve(true));
      void ended.then(() => resolve(false));
    });
    // Replace the worker, unless it is the first and never listened (NoWorker).
    void Promise.all([listens, ended]).then(async ([listened]) => {
      if (!listened && !begun) return;
      await sleep(RESTART_DELAY_MS);
      if (!stopping) void start();
    });
    return listens;
  }

  let begun = false;
  async function startAll(): Promise<void> {
    // Start one first, so that a startup error is reported once.
    if (!(await start())) throw new NoWorker();
    begun = true;
    if (!stopping) await Promise.all(Array.from({ length: count - 1 }, start));
  }
  return {
    listening: startAll(),
    stop: async () => {
      stopping = true;
      for (const worker of ready) if (worker.isConnected()) worker.send(STOP);
      await Promise.all(ends);
    },
  };
}
