import { errorCodes, type FastifyRequest } from 'fastify';
import type { App } from './scope.ts';

/** P38: the time for a request's work, unless its route has a `handlerTimeout` of its own. */
export const HANDLER_TIMEOUT_MS = 10_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `handlerTimeout` of a route that is no read. */
    workTimeout?: number;
  }
}

const isRead = (method: string | string[]) => method === 'GET' || method === 'HEAD';

/**
 * Answers 503 when a request's work exceeds its route's `handlerTimeout` (P38). Only reads use
 * Fastify's own timer: it stops as soon as a body has been read, and creates an AbortError then, at
 * 5 % of the cost of a token refresh.
 */
export function limitHandlers(app: App, defaultMs = HANDLER_TIMEOUT_MS): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  app.addHook('onRoute', (route) => {
    const timeout = route.handlerTimeout ?? defaultMs;
    delete route.handlerTimeout;
    if (isRead(route.method)) route.handlerTimeout = timeout;
    else route.config = { ...route.config, workTimeout: timeout };
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (isRead(request.method)) return done();
    const { config, url } = request.routeOptions;
    const { workTimeout } = config;
    if (workTimeout !== undefined) {
      const timer = setTimeout(() => {
        if (reply.sent) return;
        if (reply.raw.headersSent) reply.raw.destroy();
        else void reply.send(new errorCodes.FST_ERR_HANDLER_TIMEOUT(workTimeout, url));
      }, workTimeout);
      timers.set(request, timer);
      reply.raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
  // The work begins when the body has arrived.
  app.addHook('preHandler', (request, _reply, done) => {
    timers.get(request)?.refresh();
    done();
  });
}
