import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** Fastify with routes typed by zod schemas, for the whole app or for one scope. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Tells the OpenAPI document which key a scope's routes need. Visitors need none. */
export function describeCaller(
  scope: App,
  ...callers: ('player' | 'machine' | 'screen' | 'visitor')[]
): void {
  const security = callers.map((caller) => (caller === 'visitor' ? {} : { [caller]: [] }));
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security };
  });
}
