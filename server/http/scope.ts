import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Documents the key of a scope's routes; visitors need none. */
export function describeCaller(
  scope: App,
  ...callers: ('player' | 'machine' | 'screen' | 'visitor')[]
): void {
  const security = callers.map((caller) => (caller === 'visitor' ? {} : { [caller]: [] }));
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security };
  });
}
