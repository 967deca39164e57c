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

/** Documents which key a scope's routes take. Visitors need none. */
export function describeCaller(
  scope: App,
  ...callers: ('player' | 'machine' | 'screen' | 'visitor')[]
): void {
  const security = callers.map((caller) => (caller === 'visitor' ? {} : { [caller]: [] }));
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security };
  });
}
