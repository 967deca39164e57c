import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { charge, clear, giveBack, type Limit, limit, networkLimits, networkOf } from './limits.ts';

const t = withApp();

let named = 0;
const aLimit = (max: number, seconds = 60): Limit => ({
  name: `test-${++named}`,
  subject: 'somebody',
  max,
  seconds,
});
const points = async ({ name }: Limit) =>
  (
    await t.db
      .selectFrom('limits')
      .select('points')
      .where('key', 'like', `${name}:%`)
      .executeTakeFirst()
  )?.points;

describe('P17: limits', () => {
  test('a burst over two processes never exceeds the limit', async () => {
    const other = await t.sibling();
    const one = aLimit(5);
    const burst = Array.from({ length: 50 }, (_, n) => charge(n % 2 === 0 ? t : other, [one]));
    const passed = (await Promise.all(burst)).filter((used) => used.length === 0);
    expect(passed).toHaveLength(5);
  });

  test('a limit resets when its window ends, and not before', async () => {
    const one = aLimit(1, 60);
    expect(await charge(t, [one])).toEqual([]);
    t.clock.advance(50_000);
    const [used] = await charge(t, [one]);
    expect(used?.wait_s).toBeGreaterThan(5);
    expect(used?.wait_s).toBeLessThanOrEqual(10);
    t.clock.advance(10_000);
    expect(await charge(t, [one])).toEqual([]);
  });

  test('one statement counts several limits', async () => {
    const many = [aLimit(9), aLimit(9), aLimit(9), aLimit(9), aLimit(9)];
    const connect = vi.spyOn(t.pool, 'connect');
    await charge(t, many.slice(0, 3), many.slice(3));
    expect(connect).toHaveBeenCalledTimes(1);
    expect(await Promise.all(many.map(points))).toEqual([1, 1, 1, 1, 1]);
  });

  test('a caller over their own limit does not use up the shared limit', async () => {
    const own = aLimit(2);
    const shared = aLimit(100);
    for (let n = 0; n < 10; n += 1) await charge(t, [own], [shared]);
    expect(await points(shared)).toBe(2);
  });

  test('requests that charge the same limits in different orders do not deadlock', async () => {
    const [a, b] = [aLimit(1000), aLimit(1000)];
    const calls = Array.from({ length: 60 }, (_, n) => charge(t, n % 2 === 0 ? [a, b] : [b, a]));
    expect((await Promise.all(calls)).flat()).toEqual([]);
    expect(await points(a)).toBe(60);
  });

  test('clear() resets the caller’s own limits, and takes one use off a shared limit', async () => {
    const [own, shared] = [aLimit(9), aLimit(9)];
    for (let n = 0; n < 3; n += 1) await charge(t, [own], [shared]);
    await clear(t, [own, shared], [shared]);
    expect([await points(own), await points(shared)]).toEqual([undefined, 2]);
  });

  test('giveBack() takes one use off a limit, and clear() resets the limit', async () => {
    const one = aLimit(2);
    await charge(t, [one]);
    await charge(t, [one]);
    await giveBack(t, [one]);
    expect(await charge(t, [one])).toEqual([]);
    expect(await charge(t, [one])).toHaveLength(1);
    await clear(t, [one]);
    expect(await points(one)).toBeUndefined();
    await giveBack(t, [one]);
    expect(await points(one)).toBeUndefined();
  });

  test('the rows of limits contain neither the address nor the network', async () => {
    await charge(t, [
      { name: 'test-hidden', subject: 'ann@example.com 192.0.2.7', max: 1, seconds: 9 },
    ]);
    const rows = await t.db.selectFrom('limits').select('key').execute();
    const keys = rows.map(({ key }) => key).join(' ');
    expect(keys).toContain('test-hidden:');
    expect(keys).not.toMatch(/example|192\.0/);
  });

  test('an exhausted limit of a network is cached, so a request costs no SQL statement', async () => {
    const network = { ...aLimit(2), remember: true };
    const own = aLimit(9);
    for (let n = 0; n < 3; n += 1) await charge(t, [network], [own]);
    const connect = vi.spyOn(t.pool, 'connect');
    t.clock.advance(20_000);
    const [used] = await charge(t, [network], [own]);
    expect(used?.wait_s).toBeGreaterThan(30);
    expect(used?.wait_s).toBeLessThanOrEqual(40);
    expect(connect).not.toHaveBeenCalled();
    expect([await points(network), await points(own)]).toEqual([3, 2]);
    t.clock.advance(40_000);
    expect(await charge(t, [network], [own])).toEqual([]);
  });

  test.each([
    ['P67', 'join_page_network', 300, 'GET', '/api/teams/join/AAAAAA/', undefined],
    ['P103', 'join_page_network', 300, 'GET', '/api/contests/AAAAAA/', undefined],
    ['P66', 'screen-claims', 600, 'POST', '/api/screen/claim/', { secret: 'A'.repeat(43) }],
    ['P114', 'machine-claims', 600, 'POST', '/api/machine/pair/claim/', { secret: 'A'.repeat(43) }],
  ])(
    '%s: requests beyond %s, %i a minute, cost no statement',
    async (_, name, max, method, path, body) => {
      const ip = makeIp();
      const call = () => t.call(method, path, { ip, ...(body === undefined ? {} : { body }) });
      expect((await call()).status).toBe(404);
      await sql`update limits set points = ${max - 1} where starts_with(key, ${`${name}:`})`.execute(
        t.db,
      );
      expect((await call()).status).toBe(404);
      expect((await call()).status).toBe(429);
      const connect = vi.spyOn(t.pool, 'connect');
      const answers = await Promise.all(Array.from({ length: 20 }, call));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
      expect(connect).not.toHaveBeenCalled();
      connect.mockRestore();
      t.clock.advance(60_000);
      expect((await call()).status).toBe(404);
    },
  );

  test('refused requests of a network cost no statement on the routes of sign-up and sign-in', async () => {
    const ip = makeIp();
    let people = 0;
    const bodyOf = (email: string) => ({
      email,
      password: 'quiet orange kite',
      code: '000000',
      token: 'made-up',
    });
    for (const path of [
      'auth/check-email',
      'auth/register',
      'auth/login',
      'auth/request-password-reset',
      'auth/reset-password',
      'resend-verification',
      'verify-email',
    ]) {
      const call = () => {
        const body = bodyOf(`refused${++people}@example.com`);
        return t.call('POST', `/api/users/${path}/`, { body, ip });
      };
      // Exhaust the network's limit, which is cached.
      for (let n = 0; n < 45; n += 1) await call();
      const connect = vi.spyOn(t.pool, 'connect');
      const answers = await Promise.all(Array.from({ length: 20 }, call));
      expect([path, new Set(answers.map(({ status }) => status))]).toEqual([path, new Set([429])]);
      expect([path, connect.mock.calls.length]).toEqual([path, 0]);
      connect.mockRestore();
    }
  });

  test('the networks of an IPv6 /48 share ten times the limit of one network', async () => {
    const of = (ip: string) => charge(t, networkLimits(ip, 'screen-secret'));
    let passed = 0;
    for (let n = 0; n < 120; n += 1)
      if ((await of(`2001:db8:7:${n.toString(16)}::1`)).length === 0) passed += 1;
    expect(passed).toBe(100);
    expect(await of('2001:db8:8:1::1')).toEqual([]);
    expect(networkLimits('192.0.2.7', 'screen-secret')).toHaveLength(1);
    expect(networkLimits('::ffff:192.0.2.7', 'screen-secret')).toHaveLength(1);
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    // A port must not turn each connection into another network.
    ['192.0.2.1:50123', '192.0.2.1'],
    ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['192.0.2.001', 'unknown'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
  ])('the address %s counts as the network %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

test('REL-15: a clock that is set back makes no wait longer than the window', async () => {
  const one = aLimit(1, 60);
  await charge(t, [one]);
  // Two processes' clocks may differ this much, so no new window begins.
  t.clock.advance(-30_000);
  expect(await charge(t, [one])).toEqual([{ name: one.name, wait_s: 60, load: 1 }]);
  t.clock.advance(-3_600_000);
  expect(await charge(t, [one])).toEqual([]);
  expect(await charge(t, [one])).toEqual([{ name: one.name, wait_s: 60, load: 1 }]);
  t.clock.advance(3_630_000);
});

test('P18: a caller over a limit gets 429 with whole seconds to wait', async () => {
  const one = aLimit(1);
  await limit(t, [one]);
  await expect(limit(t, [one])).rejects.toMatchObject({
    status: 429,
    body: { detail: 'Too many attempts. Please wait and try again.' },
    retryAfter: expect.toSatisfy((s) => Number.isInteger(s) && s >= 1 && s <= 60),
  });
});

test('P17: only trusted proxies may state the client address', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const body = { email: 'ann@example.com' };
  const keyed = async (app: TestApp) => {
    await app.db.deleteFrom('limits').execute();
    await app.call('POST', '/api/users/auth/check-email/', { headers, body, ip: '192.0.2.1' });
    const rows = await app.db.selectFrom('limits').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key).filter((key) => key.startsWith('check-ip'));
  };
  const trusting = await testApp({ trusted_proxies: ['192.0.2.0/24'] });
  try {
    await t.db.deleteFrom('limits').execute();
    await t.call('POST', '/api/users/auth/check-email/', { body, ip: '203.0.113.9' });
    const direct = await t.db.selectFrom('limits').select('key').orderBy('key').execute();
    const asClient = direct.map(({ key }) => key).filter((key) => key.startsWith('check-ip'));
    expect(asClient).toHaveLength(3);
    expect(await keyed(trusting)).toEqual(asClient);
    expect(await keyed(t)).not.toEqual(asClient);
  } finally {
    await trusting.close();
  }
});

test('P17: while limits cannot be counted, signing in gets 503 and reads go on', async () => {
  const broken = await testApp();
  try {
    const as = await makeSession(broken, await makePlayer(broken));
    await sql`alter table limits rename to away`.execute(broken.db);
    const body = {
      email: 'ann@example.com',
      password: 'quiet orange kite',
      token: 'x',
      code: '123456',
    };
    for (const path of [
      'auth/check-email',
      'auth/register',
      'auth/login',
      'auth/request-password-reset',
      'resend-verification',
      'verify-email',
    ]) {
      const answer = await broken.call('POST', `/api/users/${path}/`, { body });
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '2']);
    }
    expect((await broken.call('GET', '/api/users/profile/', { as })).status).toBe(200);
    const { refresh } = as;
    const refreshed = await broken.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh },
    });
    expect(refreshed.status).toBe(200);
  } finally {
    await broken.close();
  }
});
