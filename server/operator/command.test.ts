import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { makeStaff } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { endStaffSessions } from '../staff/sessions.ts';

const t = withApp();
beforeAll(() => t.app.listen({ host: '127.0.0.1', port: 0 }));

/** Sends the headers of a read, and its body only after `meanwhile`. Returns the status. */
async function slowly(headers: Record<string, string>, meanwhile: () => Promise<unknown>) {
  const address = t.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const socket = connect(address.port, '127.0.0.1');
  const arrived = once(t.app.server, 'request');
  const body = JSON.stringify({ query: 'ana' });
  const lines = Object.entries({
    ...headers,
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/operator/games/list/ HTTP/1.1\r\n${lines.join('')}\r\n`);
  await arrived;
  // Once this later call is answered, the server has read the session of the first one.
  expect((await t.call('GET', '/api/operator/held/', { headers })).status).toBe(200);
  await meanwhile();
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  const ended = once(socket, 'close');
  socket.write(body);
  await ended;
  return Number(text.split(' ')[1]);
}

test('P62: a read whose body arrives after the session has ended is refused', async () => {
  const { id, headers } = await makeStaff(t, { role: 'manager' });
  expect(await slowly(headers, async () => undefined)).toBe(200);
  expect(await slowly(headers, () => endStaffSessions(t.db, id))).toBe(401);
});
