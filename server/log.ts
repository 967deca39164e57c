import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** Masks an address: `j***@d…` (P42). */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}…`;
}

/** Asynchronous, but flushed on exit, because the last lines say why the process ends. */
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
 * A logger of JSON lines with UTC times. Of an error it writes only the fields listed here: no
 * headers, query, body, SQL parameters or whole addresses (P42).
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
        // With some errors Fastify logs request and response, with IP address and query.
        req: () => undefined,
        res: () => undefined,
      },
    },
    stream,
  );
}

/** The x-request-id header, to match the proxy's log; a new id if it is missing or unusual. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

const HEALTH = /^\/health\//;

/**
 * Logs a line per response, and sends x-request-id (P42, P45). Successful health checks are logged
 * at `debug`.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    // A URL can contain a token or any text of a visitor (P42).
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
