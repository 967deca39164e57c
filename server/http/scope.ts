import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** Fastify with routes typed by their zod schemas: the whole app or one scope. */
export type App = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** States in the OpenAPI document which key the routes of a scope need. */
export function describeCaller(scope: App, caller: 'player' | 'machine'): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, security: [{ [caller]: [] }] };
  });
}
