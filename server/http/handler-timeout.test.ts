import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { limitHandlers } from './handler-timeout.ts';
import type { App } from './scope.ts';

test('P38: a read and a change get 503 when their work does not end in time', async () => {
  const app = Fastify() as unknown as App;
  limitHandlers(app, 50);
  const never = () => new Promise<never>(() => undefined);
  const soon = async () => ({ done: true });
  for (const method of ['GET', 'POST', 'DELETE']) {
    app.route({ method, url: '/never', handler: never });
    app.route({ method, url: '/soon', handler: soon });
    // A route can have a longer time of its own.
    app.route({ method, url: '/own', handlerTimeout: 60_000, handler: () => late() });
  }
  const late = () => new Promise((done) => setTimeout(done, 200, { done: true }));
  const statusOf = async (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    (await app.inject({ method, url, ...(method === 'POST' ? { payload: { a: 1 } } : {}) }))
      .statusCode;
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    expect(await statusOf(method, '/never'), method).toBe(503);
    expect(await statusOf(method, '/soon'), method).toBe(200);
    expect(await statusOf(method, '/own'), method).toBe(200);
  }
  await app.close();
});
