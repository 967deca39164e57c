import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { type DestinationStream, pino } from 'pino';

/** `j***@d…`: enough to recognise an address one knows, too little to use it (P42). */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}…`;
}

/** Writes in the background, but the last lines, which tell why the process ends, before its end. */
let output: ReturnType<typeof pino.destination> | undefined;
function standardOutput(): DestinationStream {
  if (output === undefined) {
    const opened = pino.destination({ fd: 1, sync: false });
    process.on('exit', () => opened.flushSync());
    output = opened;
  }
  return output;
}

/**
 * JSON lines in UTC. Only what is named here is written of a request or an error: no headers, no
 * query, no body, no SQL parameters (P42).
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
          message: error.message,
          code: error.code,
          stack: error.stack,
        }),
      },
    },
    stream,
  );
}

/** A caller's own request id is kept when it is short and plain, so that a proxy's log joins ours. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
}

/** One line for each answer, and the request id in a header of every answer (P42, P45). */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        // The route, else the path: a query may hold a token (P42).
        path: request.routeOptions.url ?? request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
