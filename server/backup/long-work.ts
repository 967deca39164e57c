import { PassThrough, type Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { z } from 'zod';
import { SERVER_ERROR } from '#contract/wire/errors.ts';
import type { Progress } from '#contract/wire/system.ts';
import { configureConnection } from '../db/database.ts';
import { isDatabaseAway, Refusal } from '../errors.ts';

/** Longer than any work takes. A Node timer cannot be infinite. */
export const LONG_MS = 24 * 3_600_000;
const HEARTBEAT_MS = 10_000;
const LINE_EVERY_MS = 100;
/** Enough for two commands at a time, and for the query that cancels statements that block them. */
const UNTIMED_POOL_SIZE = 3;

export type OnProgress = (progress: Progress) => void;

/** A pool without statement timeouts (P38), for work such as a backup. */
export function untimedPool(pool: pg.Pool, onError: (error: Error) => void): pg.Pool {
  const untimed = new pg.Pool({
    ...pool.options,
    // The spread omits the password, which the driver makes non-enumerable.
    password: pool.options.password,
    max: UNTIMED_POOL_SIZE,
    query_timeout: 0,
    onConnect: configureConnection({ lock_timeout: 2_000 }),
    // COPY cannot share a pipelined connection.
    pipeline: false,
    allowExitOnIdle: true,
  });
  untimed.on('error', onError);
  // A client in use emits its own errors; an unhandled error would end the process.
  untimed.on('connect', (client) => client.on('error', onError));
  return untimed;
}

/**
 * Runs long work and streams NDJSON: progress, then the result or the error. `line` validates each
 * line. The work continues when its client disconnects.
 */
export function streamProgress<R>(
  line: z.ZodType,
  log: FastifyBaseLogger,
  work: (onProgress: OnProgress) => Promise<R>,
): Readable {
  const lines = new PassThrough();
  lines.on('error', () => undefined);
  const send = (value: unknown) => {
    if (!lines.destroyed) lines.write(`${JSON.stringify(line.parse(value))}\n`);
  };
  let last: Progress = { step: 'starting', done: 0, total: 1 };
  let sentAt = 0;
  const onProgress = (progress: Progress) => {
    last = progress;
    const now = performance.now();
    if (now - sentAt < LINE_EVERY_MS && progress.done < progress.total) return;
    sentAt = now;
    send({ progress });
  };
  const heartbeat = setInterval(() => send({ progress: last }), HEARTBEAT_MS);
  send({ progress: last });
  void work(onProgress)
    .then((result) => send({ result }))
    .catch((error: unknown) => send({ error: operatorMessage(error, log) }))
    .finally(() => {
      clearInterval(heartbeat);
      lines.end();
    });
  return lines;
}

/** The message for the operator. Only the log has an unexpected error's cause (P45). */
function operatorMessage(error: unknown, log: FastifyBaseLogger): string {
  if (error instanceof Refusal && 'detail' in error.body && typeof error.body.detail === 'string')
    return error.body.detail;
  log.error({ err: error }, 'an operator command failed');
  return isDatabaseAway(error)
    ? 'The server cannot reach its database. Please try again.'
    : SERVER_ERROR;
}
