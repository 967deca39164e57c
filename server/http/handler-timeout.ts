import { errorCodes } from 'fastify';
import type { App } from './scope.ts';

/**
 * Answers 503 when a request with a body exceeds the route's `handlerTimeout` (P38), because
 * Fastify's own timer stops when the body has been read.
 */
export function limitHandlers(app: App): void {
  app.addHook('preHandler', (request, reply, done) => {
    if (request.body === undefined) return done();
    const { handlerTimeout, url } = request.routeOptions;
    if (handlerTimeout) {
      const timer = setTimeout(() => {
        if (reply.sent) return;
        if (reply.raw.headersSent) reply.raw.destroy();
        else void reply.send(new errorCodes.FST_ERR_HANDLER_TIMEOUT(handlerTimeout, url));
      }, handlerTimeout);
      reply.raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
