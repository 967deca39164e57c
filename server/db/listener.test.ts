import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import { listening } from '#testing/app/server-process.ts';
import { withApp } from '#testing/app/test-app.ts';

const t = withApp();

test('REL-07: an event stream gets 503 if the database accepts the connection but stays silent', async () => {
  const as = await makeSession(t, await makePlayer(t));
  const { port, server } = await listening(createServer(() => undefined));
  // Only new connections, such as the listener's, use these options.
  Object.assign(t.pool.options, { host: '127.0.0.1', port, connectionTimeoutMillis: 100 });
  const answer = await t.call('GET', '/api/users/profile/events/', { as });
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  server.close();
});
