import type { FastifyBaseLogger } from 'fastify';

/** How the process ends: what it has opened, and in which order it closes that again (P41). */

/** P41: requests that came in before the signal get this long, and everything this long. */
const FINISH_MS = 20_000;
export const SHUTDOWN_MS = 30_000;

/** Something that the operator can mend: one line, no stack. */
export class StartProblem extends Error {}

type Closer = { name: string; close: () => Promise<unknown>; patienceMs?: number };

/** Opened last, closed first. */
export const opened: Closer[] = [];
let draining = false;

/** True from the moment shutdown begins: /health/ready turns red at once (P41). */
export const isDraining = () => draining;

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(done, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Closes what has been opened, the last first; what fails or takes too long holds up nothing. */
export async function closeAll(log: FastifyBaseLogger | undefined): Promise<void> {
  for (const { name, close, patienceMs = FINISH_MS } of opened.splice(0).reverse())
    await within(patienceMs, close()).catch((error: unknown) =>
      log?.error({ err: error }, `closing: ${name}`),
    );
}

/** P41: red at once, a pause for the balancer to see it, then finish, close in order, exit. */
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
