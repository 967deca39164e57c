import { errorCodes } from 'fastify';
import type { App } from './scope.ts';

/** P38: the time for a request's work, unless its route has a `handlerTimeout` of its own. */
export const HANDLER_TIMEOUT_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `handlerTimeout` of a route that is no read. */
    workTimeout?: number;
  }
}

/**
 * Answers 503 when a request's work exceeds its route's `handlerTimeout` (P38). Fastify's own timer
 * serves reads alone: it stops when a body has been read, and makes an error of it for every call.
 */
export function limitHandlers(app: App, defaultMs = HANDLER_TIMEOUT_MS): void {
  app.addHook('onRoute', (route) => {
    const timeout = route.handlerTimeout ?? defaultMs;
    delete route.handlerTimeout;
    if (route.method === 'GET' || route.method === 'HEAD') route.handlerTimeout = timeout;
    else route.config = { ...route.config, workTimeout: timeout };
  });
  app.addHook('preHandler', (request, reply, done) => {
    const { config, url } = request.routeOptions;
    const { workTimeout } = config;
    if (workTimeout !== undefined) {
      const timer = setTimeout(() => {
        if (reply.sent) return;
        if (reply.raw.headersSent) reply.raw.destroy();
        else void reply.send(new errorCodes.FST_ERR_HANDLER_TIMEOUT(workTimeout, url));
      }, workTimeout);
      reply.raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
