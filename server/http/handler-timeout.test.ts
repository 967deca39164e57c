import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitHandlers } from './handler-timeout.ts';
import type { App } from './scope.ts';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

test('P38: reads and changes get 503 when a handler or a hook does not end in time', async () => {
  const app = Fastify() as unknown as App;
  limitHandlers(app, 50);
  const never = () => new Promise<never>(() => undefined);
  const late = () => new Promise((done) => setTimeout(done, 200, { done: true }));
  for (const method of METHODS) {
    app.route({ method, url: '/never', handler: never });
    app.route({ method, url: '/held', onRequest: never, handler: late });
    app.route({ method, url: '/soon', handler: async () => ({ done: true }) });
    // A route can have a longer time of its own.
    app.route({ method, url: '/own', handlerTimeout: 60_000, handler: late });
  }
  const statusOf = async (method: (typeof METHODS)[number] | 'HEAD', url: string, payload = {}) =>
    (await app.inject({ method, url, ...(method === 'POST' ? { payload } : {}) })).statusCode;
  for (const method of [...METHODS, 'HEAD'] as const) {
    expect(await statusOf(method, '/never'), method).toBe(503);
    expect(await statusOf(method, '/held'), method).toBe(503);
    expect(await statusOf(method, '/soon'), method).toBe(200);
    expect(await statusOf(method, '/own'), method).toBe(200);
  }
  expect((await app.inject({ method: 'POST', url: '/never' })).statusCode).toBe(503);
  await app.close();
});
