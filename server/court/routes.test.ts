import { describe, expect, test } from 'vitest';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { fillDemo } from '../demo/demo.ts';
import { addMachine } from '../machines/machines.ts';

const t = withApp();

const newKey = async () => (await t.call('POST', '/dev/court/key/')).body.key as string;
const ask = (key: string) =>
  t.call('GET', '/api/machine/', { headers: { authorization: `Bearer ${key}` } });

test('MACH-20 without the demo there is no player to choose', async () => {
  expect((await t.call('GET', '/dev/court/setup/')).body).toMatchObject({ players: [] });
});

test('MACH-20 the key always opens the machine API for the same machine', async () => {
  const first = await newKey();
  const { status, body } = await ask(first);
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: 'Court', venue: 'Dockside Arcade' });
  const second = await newKey();
  expect((await ask(second)).body.id).toBe(body.id);
  // Another tab may still use the key.
  expect((await ask(first)).status).toBe(200);
  const user = await t.call('GET', '/api/users/profile/', {
    headers: { authorization: `Bearer ${second}` },
  });
  expect(user.status).toBe(401);
});

test('MACH-20 the page offers the players of the demo, the demo account first', async () => {
  const other = await testApp();
  try {
    await fillDemo(other);
    const { body } = await other.call('GET', '/dev/court/setup/');
    expect(body.players).toHaveLength(30);
    expect(body.players[0]).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: 'Maya_Banks',
      avatar_color: '#377ADC',
      jersey_number: '23',
      team: { name: 'Brick City Bankers' },
      demo_account: true,
    });
    expect(JSON.stringify(body)).not.toContain('@');
    expect(body.achievements).toContainEqual({ key: 'first-game', name: 'First game' });
    await addMachine(other, { name: 'Court', venue: 'Corner Bar' });
    expect((await other.call('POST', '/dev/court/key/')).status).toBe(409);
  } finally {
    await other.close();
  }
});

describe('P46 only this computer opens the court', () => {
  const PATHS = [
    ['GET', '/dev/court'],
    ['GET', '/dev/court/assets/court.js'],
    ['GET', '/dev/court/setup/'],
    ['POST', '/dev/court/key/'],
  ] as const;

  test.each(PATHS)('%s %s answers callers on this computer only', async (method, path) => {
    expect([200, 404]).toContain((await t.call(method, path)).status);
    expect((await t.call(method, path, { ip: '192.168.1.30' })).status).toBe(403);
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])
      expect((await t.call(method, path, { headers: { [name]: '127.0.0.1' } })).status).toBe(403);
  });

  test('P47 a request with another host name or from another site gets no key', async () => {
    const post = (headers: Record<string, string>) =>
      t.call('POST', '/dev/court/key/', { headers });
    expect((await post({ host: 'court.example.com' })).status).toBe(421);
    expect((await post({ origin: 'https://court.example.com' })).status).toBe(403);
  });

  test('there is no court in production or with SMTP_URL', async () => {
    for (const overrides of [{ production: true }, { smtp_url: 'smtps://mail.example.com' }]) {
      const other = await t.sibling(overrides);
      for (const [method, path] of PATHS) expect((await other.call(method, path)).status).toBe(404);
    }
  });

  test.each(['..%2Findex.html', '%2e%2e', 'court.ts', 'x.js%00', 'a'.repeat(200)])(
    'the folder of the page has no file %s',
    async (name) => {
      const { status } = await t.call('GET', `/dev/court/assets/${name}`);
      expect([400, 404, 414]).toContain(status);
    },
  );
});
