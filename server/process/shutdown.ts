import type { FastifyBaseLogger } from 'fastify';

/** The time limit for one closer (P41). */
export const FINISH_MS = 20_000;
/** The time limit for the whole shutdown (P41). */
export const SHUTDOWN_MS = 30_000;

/** A problem that the operator can fix. Printed without a stack. */
export class StartProblem extends Error {}

type Closer = { name: string; close: () => Promise<unknown>; timeoutMs?: number };

export const opened: Closer[] = [];
let draining = false;

export const isDraining = () => draining;

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(done, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Closes everything in `opened`, the last first, even if some closers fail or time out. */
export async function closeAll(log: FastifyBaseLogger | undefined): Promise<void> {
  for (const { name, close, timeoutMs = FINISH_MS } of opened.splice(0).reverse())
    await within(timeoutMs, close()).catch((error: unknown) =>
      log?.error({ err: error }, `closing: ${name}`),
    );
}

/**
 * Shuts down (P41): waits `drainMs` for the load balancer, closes everything, exits with `code`. A
 * second call exits at once.
 */
export async function shutDown(
  log: FastifyBaseLogger | undefined,
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
