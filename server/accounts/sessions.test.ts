import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { clientName } from '../http/caller.ts';
import { serverLogger } from '../log.ts';
import { codeFor } from '../testing/mails.ts';
import { makePlayer, makeSession } from '../testing/make.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { openAmong, renewals } from './sessions.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const renew = (refresh: string, body: object = {}, app = t) =>
  app.call('POST', '/api/users/auth/token/refresh/', { body: { refresh, ...body } });
const profile = (access: string) => t.call('GET', '/api/users/profile/', { as: { access } });
const newSession = async () => {
  const player = await makePlayer(t);
  return { player, ...(await makeSession(t, player)) };
};
const sessionsOf = async (player: { id: number }) =>
  t.db.selectFrom('sessions').selectAll().where('player_id', '=', player.id).execute();

describe('P1: the bearer', () => {
  test('opens the player calls for ten minutes; 401 without one, with a wrong one, and after', async () => {
    const { access } = await newSession();
    expect((await profile(access)).status).toBe(200);
    const none = await t.call('GET', '/api/users/profile/');
    expect([none.status, none.body, none.headers['www-authenticate']]).toEqual([
      401,
      { detail: 'Sign in again.' },
      'Bearer',
    ]);
    for (const authorization of [
      access,
      `Basic ${access}`,
      `Bearer ${access}x`,
      'Bearer',
      'Bearer a b',
    ])
      expect(
        (await t.call('GET', '/api/users/profile/', { headers: { authorization } })).status,
      ).toBe(401);
    t.clock.advance(10 * MINUTE);
    expect((await profile(access)).status).toBe(401);
  });

  test('a refresh token is no bearer, and an access token renews nothing', async () => {
    const { access, refresh } = await newSession();
    expect((await profile(refresh)).status).toBe(401);
    expect((await renew(access)).status).toBe(401);
  });

  test('a token of one player does not open the session of another', async () => {
    const [one, other] = [await newSession(), await newSession()];
    await t.db
      .updateTable('sessions')
      .set({ player_id: other.player.id })
      .where('player_id', '=', one.player.id)
      .execute();
    expect((await profile(one.access)).status).toBe(401);
  });
});

describe('P2: refresh tokens', () => {
  test('are stored as a hash only', async () => {
    const { player, refresh } = await newSession();
    const [row] = await sessionsOf(player);
    expect(row?.refresh_hash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(refresh.slice(30));
  });

  test('end after 14 idle days', async () => {
    const { refresh } = await newSession();
    t.clock.advance(14 * DAY - MINUTE);
    expect((await renew(refresh)).status).toBe(200);
    t.clock.advance(14 * DAY);
    expect((await renew(refresh)).status).toBe(401);
  });

  test('end 30 days after sign-in however much they are used, rotated or not', async () => {
    const plain = await newSession();
    const strict = await newSession();
    let { refresh } = strict;
    for (let days = 0; days < 29; days += 1) {
      t.clock.advance(DAY);
      expect((await renew(plain.refresh)).status).toBe(200);
      refresh = (await renew(refresh, { rotate: true })).body.refresh;
    }
    t.clock.advance(DAY);
    expect((await renew(plain.refresh)).status).toBe(401);
    expect((await renew(refresh)).status).toBe(401);
    for (const { player } of [plain, strict]) {
      const [row] = await sessionsOf(player);
      expect(row && row.expires_at.getTime() - row.created_at.getTime()).toBe(30 * DAY);
    }
  });

  test.each(['', 'x', 'bbr_', `bbr_${'A'.repeat(86)}`, 'bbm_machine'])(
    '%j is refused with 401',
    async (refresh) => {
      const answer = await renew(refresh);
      expect([answer.status, answer.body]).toEqual([401, { detail: 'Sign in again.' }]);
    },
  );
});

describe('P3: rotation', () => {
  test('a client that does not ask for it gets exactly {access}, again and again', async () => {
    const { refresh } = await newSession();
    for (let n = 0; n < 3; n += 1) {
      const answer = await renew(refresh);
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['access']]);
      expect((await profile(answer.body.access)).status).toBe(200);
    }
  });

  test('with rotate each token works once; within 10 s its second use brings the same successor', async () => {
    const { player, refresh } = await newSession();
    const first = (await renew(refresh, { rotate: true })).body;
    expect(first.refresh).toMatch(/^bbr_/);
    expect(first.refresh).not.toBe(refresh);
    t.clock.advance(5_000);
    expect((await renew(refresh, { rotate: true })).body.refresh).toBe(first.refresh);
    expect((await renew(refresh)).body.refresh).toBe(first.refresh);
    const second = (await renew(first.refresh, { rotate: true })).body;
    expect(second.refresh).not.toBe(first.refresh);
    expect(await sessionsOf(player)).toHaveLength(1);
  });

  test('later reuse ends the session at once, for the thief and for the owner', async () => {
    const { player, access, refresh } = await newSession();
    const next = (await renew(refresh, { rotate: true })).body;
    t.clock.advance(10_001);
    expect((await renew(refresh, { rotate: true })).status).toBe(401);
    expect((await renew(next.refresh, { rotate: true })).status).toBe(401);
    expect((await profile(next.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(401);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('and is logged, without the token', async () => {
    const { player, refresh } = await newSession();
    await renew(refresh, { rotate: true });
    t.clock.advance(11_000);
    const lines: string[] = [];
    const log = serverLogger('info', { write: (line) => void lines.push(line) });
    await expect(renewals(t)(refresh, true, log)).rejects.toMatchObject({ status: 401 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'refresh_reuse',
      player: player.id,
      session: expect.any(String),
    });
    expect(lines[0]).not.toContain('bbr_');
  });

  test('so does the reuse of a token from further back, though its hash is kept no more', async () => {
    const { player, refresh } = await newSession();
    let last = refresh;
    for (let n = 0; n < 3; n += 1) last = (await renew(last, { rotate: true })).body.refresh;
    expect((await renew(refresh)).status).toBe(401);
    expect((await renew(last)).status).toBe(401);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('a made up token for a session ends nothing', async () => {
    const { refresh } = await newSession();
    const bytes = Buffer.from(refresh.slice(4), 'base64url');
    bytes.fill(0, 16);
    expect((await renew(`bbr_${bytes.toString('base64url')}`)).status).toBe(401);
    expect((await renew(refresh)).status).toBe(200);
  });

  test('a strict session stays strict when a renewal does not ask for it', async () => {
    const { refresh } = await newSession();
    const first = (await renew(refresh, { rotate: true })).body;
    const second = (await renew(first.refresh)).body;
    expect(second.refresh).toMatch(/^bbr_/);
    t.clock.advance(11_000);
    expect((await renew(first.refresh)).status).toBe(401);
    expect((await renew(second.refresh)).status).toBe(401);
  });

  test.each([20, 50])('%i renewals at once, over two processes: one successor', async (count) => {
    const { player, refresh } = await newSession();
    const other = await t.sibling();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => renew(refresh, { rotate: true }, n % 2 ? t : other)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const successors = new Set(answers.map(({ body }) => body.refresh));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    expect((await renew(successor, { rotate: true })).status).toBe(200);
    expect(await sessionsOf(player)).toHaveLength(1);
  });

  test('20 plain and rotating renewals at once all succeed', async () => {
    const { refresh } = await newSession();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => renew(refresh, { rotate: n % 2 === 0 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh).filter(Boolean)).size).toBe(1);
  });
});

test('0.3: a stale or foreign Authorization header changes nothing where none belongs', async () => {
  const { refresh } = await newSession();
  for (const authorization of ['Bearer expired.old.token', 'Bearer', 'Basic eDp5', 'bbm_key']) {
    const headers = { authorization };
    const renewed = await t.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh },
      headers,
    });
    expect(renewed.status).toBe(200);
    const asked = await t.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email: 'nobody@example.com' },
      headers,
    });
    expect(asked.status).toBe(200);
    const reset = await t.call('POST', '/api/users/auth/reset-password/', {
      body: { email: 'nobody@example.com', token: 'x', password: 'quiet orange kite' },
      headers,
    });
    expect(reset.status).toBe(400);
  }
});

test('P9: while SECRET_KEY is being replaced, nobody is signed out and no code stops working', async () => {
  const [older, newer] = [t.config.secret_keys[0], 'pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3'];
  const { access, refresh } = await newSession();
  const email = 'rotation@example.com';
  await t.call('POST', '/api/users/auth/register/', { body: { email } });
  const code = await codeFor(t, email);

  // First every process learns the new key, then it signs, then the old one goes (docs/operating.md).
  const learning = await t.sibling({ secret_keys: [older, newer] });
  const signing = await t.sibling({ secret_keys: [newer, older] });
  const after = await t.sibling({ secret_keys: [newer] });
  const opens = async (app: TestApp, token: string) =>
    (await app.call('GET', '/api/users/profile/', { as: { access: token } })).status;
  for (const app of [learning, signing]) expect(await opens(app, access)).toBe(200);
  const renewed = (await renew(refresh, { rotate: true }, signing)).body;
  expect(await opens(learning, renewed.access)).toBe(200);
  expect(await opens(after, renewed.access)).toBe(200);
  const verified = await signing.call('POST', '/api/users/verify-email/', {
    body: { email, code },
  });
  expect(verified.status).toBe(200);

  // A token of the old key is over when the key goes; the session is not.
  expect(await opens(after, access)).toBe(401);
  const again = await renew(renewed.refresh, { rotate: true }, after);
  expect(again.status).toBe(200);
  expect(await opens(after, again.body.access)).toBe(200);
  // Nor is a token that nobody made under either key good anywhere.
  const foreign = await t.sibling({ secret_keys: ['nQ5wX8kB1tZ9mV3cR7yL2pH6sD4fJ0aE'] });
  expect(await opens(foreign, again.body.access)).toBe(401);
});

test('P4: a session that is ended is refused on the very next request', async () => {
  const { player, access } = await newSession();
  expect((await profile(access)).status).toBe(200);
  await t.db.deleteFrom('sessions').where('player_id', '=', player.id).execute();
  expect((await profile(access)).status).toBe(401);
});

test('P4: the profile is read with the session, in one statement', async () => {
  const { access } = await newSession();
  const connect = vi.spyOn(t.pool, 'connect');
  await profile(access);
  expect(connect).toHaveBeenCalledTimes(1);
});

describe('P5: 20 sessions', () => {
  test('the 21st ends the longest idle one', async () => {
    const player = await makePlayer(t);
    const sessions = [];
    for (let n = 0; n < 20; n += 1) {
      sessions.push(await makeSession(t, player));
      t.clock.advance(1000);
    }
    // The oldest is used again, so the second is idle for longest.
    await renew(sessions[0]?.refresh ?? '');
    t.clock.advance(1000);
    await makeSession(t, player);
    expect(await sessionsOf(player)).toHaveLength(20);
    expect((await renew(sessions[0]?.refresh ?? '')).status).toBe(200);
    expect((await renew(sessions[1]?.refresh ?? '')).status).toBe(401);
    expect((await renew(sessions[2]?.refresh ?? '')).status).toBe(200);
  });

  test('50 sign-ins at once leave 20, and all of another player alone', async () => {
    const [player, other] = [await makePlayer(t), await newSession()];
    await Promise.all(Array.from({ length: 50 }, () => makeSession(t, player)));
    expect(await sessionsOf(player)).toHaveLength(20);
    expect(await sessionsOf(other.player)).toHaveLength(1);
  });
});

describe('P8: signing out', () => {
  const logout = (refresh: string) =>
    t.call('POST', '/api/users/auth/logout/', { body: { refresh } });

  test('ends the session, again and again, also with an expired bearer', async () => {
    const { access, refresh } = await newSession();
    t.clock.advance(11 * MINUTE);
    for (let n = 0; n < 2; n += 1) {
      const answer = await t.call('POST', '/api/users/auth/logout/', {
        body: { refresh },
        as: { access },
      });
      expect([answer.status, answer.body]).toEqual([204, '']);
    }
    expect((await renew(refresh)).status).toBe(401);
  });

  test('works with a token that was replaced meanwhile', async () => {
    const { player, refresh } = await newSession();
    await renew(refresh, { rotate: true });
    expect((await logout(refresh)).status).toBe(204);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('with a made up token ends nothing', async () => {
    const { player, refresh } = await newSession();
    const bytes = Buffer.from(refresh.slice(4), 'base64url');
    bytes.fill(1, 16);
    for (const token of [`bbr_${bytes.toString('base64url')}`, 'garbage', ''])
      expect((await logout(token)).status).toBe(204);
    expect(await sessionsOf(player)).toHaveLength(1);
  });
});

describe('P8: where I am signed in', () => {
  const list = (access: string) => t.call('GET', '/api/users/sessions/', { as: { access } });
  const end = (access: string, id = '') =>
    t.call('DELETE', `/api/users/sessions/${id === '' ? '' : `${id}/`}`, { as: { access } });

  test('lists my sessions, coarse and without addresses, the current one marked', async () => {
    const { player, access } = await newSession();
    t.clock.advance(1000);
    await makeSession(t, player);
    const { status, body } = await list(access);
    expect(status).toBe(200);
    expect(body.results).toHaveLength(2);
    expect(body.results.map((one: { current: boolean }) => one.current)).toEqual([false, true]);
    for (const one of body.results)
      expect(one).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        client: 'Firefox on Linux',
        current: expect.any(Boolean),
      });
  });

  test('ends one, 204 also the second time, and never 404 or 405 for what is no session (0.2)', async () => {
    const { player, access } = await newSession();
    const other = await makeSession(t, player);
    const { body } = await list(other.access);
    const id = body.results.find((one: { current: boolean }) => one.current).id;
    for (const which of [id, id, 'nonsense', '%00', '00000000-0000-0000-0000-000000000000'])
      expect([which, (await end(access, which)).status]).toEqual([which, 204]);
    expect((await profile(other.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(200);
  });

  test('never ends a session of somebody else', async () => {
    const [mine, theirs] = [await newSession(), await newSession()];
    const { body } = await list(theirs.access);
    expect((await end(mine.access, body.results[0].id)).status).toBe(204);
    expect((await profile(theirs.access)).status).toBe(200);
  });

  test('ends all others', async () => {
    const { player, access } = await newSession();
    const others = [await makeSession(t, player), await makeSession(t, player)];
    expect((await end(access)).status).toBe(204);
    for (const other of others) expect((await profile(other.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(200);
  });

  test('openAmong follows the rows', async () => {
    const players = [(await newSession()).player, (await newSession()).player];
    const [one = '', other = ''] = (await Promise.all(players.map(sessionsOf))).map(
      ([row]) => row?.id,
    );
    expect(await openAmong(t, [one, other])).toEqual(new Set([one, other]));
    await t.db
      .deleteFrom('sessions')
      .where('player_id', '=', players[0]?.id ?? 0)
      .execute();
    expect(await openAmong(t, [one, other])).toEqual(new Set([other]));
    await t.db
      .updateTable('sessions')
      .set({ expires_at: t.clock.now() })
      .where('id', '=', other)
      .execute();
    expect(await openAmong(t, [one, other])).toEqual(new Set());
  });
});

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.1 Mobile/15E Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) CriOS/131.0 Mobile/15E Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.7; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox on Mac',
  ],
  ['curl/8.5.0', 'Unknown browser'],
  ['', 'Unknown browser'],
])('P8: %s is %s', (agent, name) => {
  expect(clientName(agent)).toBe(name);
});
