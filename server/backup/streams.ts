import { PassThrough, type Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { z } from 'zod';
import { SERVER_ERROR } from '#contract/errors.ts';
import type { Progress } from '#contract/operator.ts';
import { isDatabaseAway, Refusal } from '../errors.ts';

/** Long work may last this long: the longest time that a timer takes is 24 days. */
export const LONG_MS = 24 * 3_600_000;
/** A line at least this often, so that neither a proxy nor the command takes quiet work for dead. */
const HEARTBEAT_MS = 10_000;
/** A bar needs no more lines than this. */
const LINE_EVERY_MS = 100;
/** Two commands at once, and what clears the way for one; players keep the app's own pool. */
const PATIENT_POOL_SIZE = 3;

export type OnProgress = (progress: Progress) => void;

/**
 * A pool to the same database without the limits on one statement (P38), which are made for
 * answers to players: a backup or a rebuild takes as long as it takes.
 */
export function patientPool(pool: pg.Pool, onError: (error: Error) => void): pg.Pool {
  const patient = new pg.Pool({
    ...pool.options,
    // Hidden from the spread by the driver, so that it is not logged with the options.
    password: pool.options.password,
    max: PATIENT_POOL_SIZE,
    statement_timeout: 0,
    query_timeout: 0,
    // COPY needs the connection to itself.
    pipeline: false,
    idle_in_transaction_session_timeout: 0,
    allowExitOnIdle: true,
  });
  patient.on('error', onError);
  // A connection in use reports to nobody but itself, and an unheard error ends the process.
  patient.on('connect', (client) => client.on('error', onError));
  return patient;
}

/**
 * Runs long work and tells of it line by line (NDJSON): progress, then one line with the result or
 * the error. The work goes on to its end also when nobody reads any more, so that nothing is left
 * half done.
 */
export function followed<R>(
  line: z.ZodType,
  log: FastifyBaseLogger,
  work: (onProgress: OnProgress) => Promise<R>,
): Readable {
  const lines = new PassThrough();
  lines.on('error', () => undefined);
  const say = (value: unknown) => {
    if (!lines.destroyed) lines.write(`${JSON.stringify(line.parse(value))}\n`);
  };
  let last: Progress = { step: 'starting', done: 0, total: 1 };
  let saidAt = 0;
  const onProgress = (progress: Progress) => {
    last = progress;
    const now = performance.now();
    if (now - saidAt < LINE_EVERY_MS && progress.done < progress.total) return;
    saidAt = now;
    say({ progress });
  };
  const heartbeat = setInterval(() => say({ progress: last }), HEARTBEAT_MS);
  say({ progress: last });
  void work(onProgress)
    .then((result) => say({ result }))
    .catch((error: unknown) => say({ error: sentence(error, log) }))
    .finally(() => {
      clearInterval(heartbeat);
      lines.end();
    });
  return lines;
}

/** What the operator is told of an error; the cause of an unexpected one stays in the log (P45). */
function sentence(error: unknown, log: FastifyBaseLogger): string {
  if (error instanceof Refusal && 'detail' in error.body && typeof error.body.detail === 'string')
    return error.body.detail;
  log.error({ err: error }, 'an operator command failed');
  return isDatabaseAway(error)
    ? 'The server cannot reach its database. Please try again.'
    : SERVER_ERROR;
}
