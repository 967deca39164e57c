import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** Masks an address as `j***@d…`. Only somebody who knows the address recognises it (P42). */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}…`;
}

/**
 * Standard output. Writes are asynchronous, and flushed on exit, because the last lines say why the
 * process ends.
 */
let output: ReturnType<typeof pino.destination> | undefined;
function standardOutput(): DestinationStream {
  if (output === undefined) {
    const opened = pino.destination({ fd: 1, sync: false });
    process.on('exit', () => opened.flushSync());
    output = opened;
  }
  return output;
}

const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+/g;

const masked = (text: string) => text.replace(EMAIL, maskEmail);

/**
 * A logger of JSON lines with UTC times. It writes only named fields of an error: no headers,
 * query, body, SQL parameters or whole address (P42).
 */
export function serverLogger(
  level: string,
  stream: DestinationStream = standardOutput(),
): FastifyBaseLogger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: Error & { code?: unknown }) => ({
          type: error.name,
          message: masked(error.message),
          code: error.code,
          stack: error.stack && masked(error.stack),
        }),
        // Fastify logs requests and responses with some failures, but they contain the address and
        // the query.
        req: () => undefined,
        res: () => undefined,
      },
    },
    stream,
  );
}

/**
 * Returns the caller's request id if it is short and plain, so that our log lines match the
 * proxy's. Otherwise makes a new id.
 */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Paths that a proxy calls every second. */
const HEALTH = /^\/health\//;

/**
 * Logs one line per response, and sets the request id's header (P42, P45). Successful health checks
 * are logged at `debug`.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // The route, because an address may contain a token or whatever a visitor writes (P42).
    const path = request.routeOptions.url ?? 'none';
    request.log[HEALTH.test(path) && reply.statusCode < 400 ? 'debug' : 'info'](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
