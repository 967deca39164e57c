import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { codeFor } from '#testing/app/mails.ts';
import { makePlayer, makeSession } from '#testing/app/make.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { clientName } from '../http/caller.ts';
import { hashOf, keysFor } from '../keys.ts';
import { serverLogger } from '../log.ts';
import { RELOAD_MS } from './refresh-keys.ts';
import { openAmong, refresher } from './sessions.ts';
import { refreshTokens } from './tokens.ts';

const t = withApp();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const refreshWith = (refresh: string, body: object = {}, app = t) =>
  app.call('POST', '/api/users/auth/token/refresh/', { body: { refresh, ...body } });
const profile = (access: string) => t.call('GET', '/api/users/profile/', { as: { access } });
const newSession = async () => {
  const player = await makePlayer(t);
  return { player, ...(await makeSession(t, player)) };
};
const sessionsOf = async (player: { id: number }) =>
  t.db.selectFrom('sessions').selectAll().where('player_id', '=', player.id).execute();

test('P39a: ended sessions use up nothing of what a player’s open sessions share', async () => {
  const player = await makePlayer(t);
  const ended = await Promise.all(Array.from({ length: 5 }, () => makeSession(t, player)));
  await t.db.deleteFrom('sessions').where('player_id', '=', player.id).execute();
  const own = await makeSession(t, player);
  const change = ({ access }: { access: string }) =>
    t.call('PATCH', '/api/users/profile/', { as: { access }, body: { jersey_number: '08' } });
  for (const session of ended)
    for (let nth = 0; nth < 60; nth += 1) expect((await change(session)).status).toBe(401);
  expect((await change(own)).status).toBe(200);
});

test('a refresh changes no indexed column, so PostgreSQL updates the row within its page', async () => {
  const { player, refresh } = await newSession();
  const before = await sessionsOf(player);
  t.clock.advance(MINUTE);
  expect((await refreshWith(refresh, { rotate: true })).status).toBe(200);
  const [old, fresh] = [before[0], (await sessionsOf(player))[0]].map((row) =>
    Object.entries(row ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  );
  const changed = fresh
    ?.filter((field) => !old?.includes(field))
    .map((field) => field.split(' ')[0]);
  expect(changed).toContain('refresh_hash');
  const { rows } = await sql<{ name: string }>`
    select distinct a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = 'sessions'::regclass`.execute(t.db);
  const indexed = rows.map(({ name }) => name);
  expect(indexed).toContain('player_id');
  expect(indexed.filter((name) => changed?.includes(name))).toEqual([]);
});

test('P4: a route that does not read the user also refuses ended and expired sessions', async () => {
  const games = (access: string) => t.call('GET', '/api/users/profile/games/', { as: { access } });
  const [ended, expired] = [await newSession(), await newSession()];
  expect([(await games(ended.access)).status, (await games(expired.access)).status]).toEqual([
    200, 200,
  ]);
  await t.db.deleteFrom('sessions').where('player_id', '=', ended.player.id).execute();
  await sql`update sessions set expires_at = created_at + interval '1 millisecond'
    where player_id = ${expired.player.id}`.execute(t.db);
  t.clock.advance(1_000);
  expect([(await games(ended.access)).status, (await games(expired.access)).status]).toEqual([
    401, 401,
  ]);
});

describe('P1: the bearer token', () => {
  test('works for ten minutes; a missing, wrong or expired token is 401', async () => {
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

  test('a refresh token is not accepted as an access token, nor an access token as a refresh token', async () => {
    const { access, refresh } = await newSession();
    expect((await profile(refresh)).status).toBe(401);
    expect((await refreshWith(access)).status).toBe(401);
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

  test('expire after 14 idle days', async () => {
    const { refresh } = await newSession();
    t.clock.advance(14 * DAY - MINUTE);
    expect((await refreshWith(refresh)).status).toBe(200);
    t.clock.advance(14 * DAY);
    expect((await refreshWith(refresh)).status).toBe(401);
  });

  test('expire 30 days after sign-in, even if they are used and rotated', async () => {
    const plain = await newSession();
    const strict = await newSession();
    let { refresh } = strict;
    for (let days = 0; days < 29; days += 1) {
      t.clock.advance(DAY);
      expect((await refreshWith(plain.refresh)).status).toBe(200);
      refresh = (await refreshWith(refresh, { rotate: true })).body.refresh;
    }
    t.clock.advance(DAY);
    expect((await refreshWith(plain.refresh)).status).toBe(401);
    expect((await refreshWith(refresh)).status).toBe(401);
    for (const { player } of [plain, strict]) {
      const [row] = await sessionsOf(player);
      expect(row && row.expires_at.getTime() - row.created_at.getTime()).toBe(30 * DAY);
    }
  });

  test.each(['', 'x', 'bbr_', `bbr_${'A'.repeat(86)}`, 'bbm_machine'])(
    '%j is refused with 401',
    async (refresh) => {
      const answer = await refreshWith(refresh);
      expect([answer.status, answer.body]).toEqual([401, { detail: 'Sign in again.' }]);
    },
  );
});

describe('P3: rotation of refresh tokens', () => {
  test('without `rotate` every response is exactly {access}', async () => {
    const { refresh } = await newSession();
    for (let n = 0; n < 3; n += 1) {
      const answer = await refreshWith(refresh);
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['access']]);
      expect((await profile(answer.body.access)).status).toBe(200);
    }
  });

  test('with `rotate` each token works once, but a second use within 10 s returns the same successor', async () => {
    const { player, refresh } = await newSession();
    const first = (await refreshWith(refresh, { rotate: true })).body;
    expect(first.refresh).toMatch(/^bbr_/);
    expect(first.refresh).not.toBe(refresh);
    t.clock.advance(5_000);
    expect((await refreshWith(refresh, { rotate: true })).body.refresh).toBe(first.refresh);
    expect((await refreshWith(refresh)).body.refresh).toBe(first.refresh);
    const second = (await refreshWith(first.refresh, { rotate: true })).body;
    expect(second.refresh).not.toBe(first.refresh);
    expect(await sessionsOf(player)).toHaveLength(1);
  });

  test('later reuse of a token ends the session at once, for the thief and for the owner', async () => {
    const { player, access, refresh } = await newSession();
    const next = (await refreshWith(refresh, { rotate: true })).body;
    t.clock.advance(10_001);
    expect((await refreshWith(refresh, { rotate: true })).status).toBe(401);
    expect((await refreshWith(next.refresh, { rotate: true })).status).toBe(401);
    expect((await profile(next.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(401);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('REL-15: reuse of a token ends the session even if the clock was ahead at the rotation', async () => {
    const { refresh } = await newSession();
    t.clock.advance(24 * 3_600_000);
    expect((await refreshWith(refresh, { rotate: true })).status).toBe(200);
    t.clock.advance(-23 * 3_600_000);
    expect((await refreshWith(refresh, { rotate: true })).status).toBe(401);
  });

  test('reuse of a token is logged, and the log does not contain the token', async () => {
    const { player, refresh } = await newSession();
    await refreshWith(refresh, { rotate: true });
    t.clock.advance(11_000);
    const lines: string[] = [];
    const log = serverLogger('info', { write: (line) => void lines.push(line) });
    const caller = { ip: '203.0.113.7', log };
    await expect(refresher(t)(refresh, true, caller)).rejects.toMatchObject({ status: 401 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'refresh_reuse',
      network: '203.0.113.0/24',
      player: player.id,
      session: expect.any(String),
    });
    expect(lines[0]).not.toContain('bbr_');
  });

  test('reuse of an older token ends the session too, though the token’s hash is deleted', async () => {
    const { player, refresh } = await newSession();
    let last = refresh;
    for (let n = 0; n < 3; n += 1) last = (await refreshWith(last, { rotate: true })).body.refresh;
    expect((await refreshWith(refresh)).status).toBe(401);
    expect((await refreshWith(last)).status).toBe(401);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('a forged token does not end the session that it names', async () => {
    const { refresh } = await newSession();
    const bytes = Buffer.from(refresh.slice(4), 'base64url');
    bytes.fill(0, 16);
    expect((await refreshWith(`bbr_${bytes.toString('base64url')}`)).status).toBe(401);
    expect((await refreshWith(refresh)).status).toBe(200);
  });

  test('a session that has rotated keeps rotating, even when a refresh does not ask for it', async () => {
    const { refresh } = await newSession();
    const first = (await refreshWith(refresh, { rotate: true })).body;
    const second = (await refreshWith(first.refresh)).body;
    expect(second.refresh).toMatch(/^bbr_/);
    t.clock.advance(11_000);
    expect((await refreshWith(first.refresh)).status).toBe(401);
    expect((await refreshWith(second.refresh)).status).toBe(401);
  });

  test.each([20, 50])(
    '%i parallel refreshes over two processes return one successor',
    async (count) => {
      const { player, refresh } = await newSession();
      const other = await t.sibling();
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) =>
          refreshWith(refresh, { rotate: true }, n % 2 ? t : other),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(answers.map(({ body }) => body.refresh));
      expect(successors.size).toBe(1);
      const [successor = ''] = successors;
      expect((await refreshWith(successor, { rotate: true })).status).toBe(200);
      expect(await sessionsOf(player)).toHaveLength(1);
    },
  );

  test('20 parallel refreshes, plain and rotating, all succeed', async () => {
    const { refresh } = await newSession();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => refreshWith(refresh, { rotate: n % 2 === 0 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh).filter(Boolean)).size).toBe(1);
  });
});

describe('P17: the seal of refresh tokens', () => {
  const madeUp = () => `bbr_${randomBytes(64).toString('base64url')}`;
  const statements = async (work: () => Promise<unknown>) => {
    const connect = vi.spyOn(t.pool, 'connect');
    try {
      await work();
      return connect.mock.calls.length;
    } finally {
      connect.mockRestore();
    }
  };
  const legacy = async () => {
    const { player } = await newSession();
    const [row] = await sessionsOf(player);
    const token = refreshTokens({ keys: keysFor(t.config, 'refresh'), former: [] }).make(
      row?.id ?? '',
    );
    await t.db
      .updateTable('sessions')
      .set({ refresh_hash: hashOf(token) })
      .where('player_id', '=', player.id)
      .execute();
    return { player, refresh: token };
  };
  const acceptUnsealedUntil = (until: Date | null) =>
    t.db.updateTable('refresh_keys').set({ unsealed_until: until }).execute();

  test('a made-up token costs no statement, at refresh and at sign-out', async () => {
    t.clock.advance(RELOAD_MS);
    await refreshWith(madeUp());
    const count = await statements(async () => {
      for (let n = 0; n < 100; n += 1) {
        expect((await refreshWith(madeUp(), { rotate: true })).status).toBe(401);
        await t.call('POST', '/api/users/auth/logout/', { body: { refresh: madeUp() } });
      }
    });
    expect(count).toBe(0);
  });

  test('unknown seals make a process read the keys again, at most once a minute', async () => {
    const { refresh } = await newSession();
    await t.db
      .insertInto('refresh_keys')
      .values((eb) => ({
        key: randomBytes(32),
        created_at: t.clock.now(),
        secret: eb.selectFrom('refresh_keys').select('secret').limit(1),
      }))
      .execute();
    const other = await t.sibling();
    const { refresh: next } = (await refreshWith(refresh, { rotate: true }, other)).body;
    t.clock.advance(RELOAD_MS);
    expect((await refreshWith(next, { rotate: true })).status).toBe(200);
    t.clock.advance(RELOAD_MS);
    const count = await statements(async () => {
      for (let n = 0; n < 50; n += 1) await refreshWith(madeUp());
    });
    expect(count).toBe(1);
  });

  test('a token from before the seal works until it is rotated or its session expires', async () => {
    await acceptUnsealedUntil(new Date(t.clock.now().getTime() + DAY));
    for (const secret_keys of [t.config.secret_keys, ['pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3']]) {
      const app = await t.sibling({ secret_keys: secret_keys as [string] });
      const { refresh } = await legacy();
      expect((await refreshWith(refresh, {}, app)).status).toBe(200);
      const { refresh: next } = (await refreshWith(refresh, { rotate: true }, app)).body;
      await acceptUnsealedUntil(null);
      expect((await refreshWith(next, { rotate: true }, await t.sibling())).status).toBe(200);
      await acceptUnsealedUntil(new Date(t.clock.now().getTime() + DAY));
    }
    // Reuse of a replaced token that is older than the keys still counts as theft (P3).
    const app = await t.sibling();
    const { player, refresh } = await legacy();
    await refreshWith(refresh, { rotate: true }, app);
    t.clock.advance(11_000);
    expect((await refreshWith(refresh, {}, app)).status).toBe(401);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('P9: the seal depends on SECRET_KEY too, and a new SECRET_KEY signs nobody out', async () => {
    const { refresh } = await newSession();
    const { refresh: replaced } = await newSession();
    const { refresh: successor } = (await refreshWith(replaced, { rotate: true })).body;
    const rotated = await t.sibling({ secret_keys: ['pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3'] });
    const { body } = await refreshWith(refresh, { rotate: true }, rotated);
    expect((await refreshWith(body.refresh, {}, rotated)).status).toBe(200);
    // The database's key alone makes neither a seal nor a successor.
    const { key } = await t.db.selectFrom('refresh_keys').select('key').executeTakeFirstOrThrow();
    const stolen = refreshTokens({ keys: [createSecretKey(key)], former: [] });
    const { sealed, session_id = '' } = stolen.read(successor) ?? {};
    expect(sealed).toBe(false);
    expect(stolen.everySuccessor(replaced, session_id)).not.toContain(successor);
    const planted = stolen.make(session_id);
    expect((await refreshWith(planted)).status).toBe(401);
    // A forged seal does not end the session, as the reuse of a real token would.
    expect((await refreshWith(successor)).status).toBe(200);
  });

  test('after the last unsealed token has expired, unsealed tokens are refused', async () => {
    // Make the database know this test's SECRET_KEY.
    await refreshWith(madeUp(), {}, await t.sibling());
    await acceptUnsealedUntil(new Date(t.clock.now().getTime() + DAY));
    const app = await t.sibling();
    const { refresh } = await legacy();
    const { refresh: stranger } = await legacy();
    expect((await refreshWith(refresh, {}, app)).status).toBe(200);
    t.clock.advance(DAY);
    expect((await refreshWith(stranger, {}, await t.sibling())).status).toBe(401);
    await acceptUnsealedUntil(null);
    expect((await refreshWith(refresh, {}, await t.sibling())).status).toBe(401);
  });
});

test('API-07: anonymous calls ignore a stale or foreign Authorization header', async () => {
  const { refresh } = await newSession();
  for (const authorization of ['Bearer expired.old.token', 'Bearer', 'Basic eDp5', 'bbm_key']) {
    const headers = { authorization };
    const refreshed = await t.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh },
      headers,
    });
    expect(refreshed.status).toBe(200);
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

test('P9: rotating SECRET_KEY signs nobody out and invalidates no code', async () => {
  const [older, newer] = [t.config.secret_keys[0], 'pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3'];
  const { access, refresh } = await newSession();
  const email = 'rotation@example.com';
  await t.call('POST', '/api/users/auth/register/', { body: { email } });
  const code = await codeFor(t, email);

  // As docs/operating.md says: add the new key, sign with it, remove the old.
  const learning = await t.sibling({ secret_keys: [older, newer] });
  const signing = await t.sibling({ secret_keys: [newer, older] });
  const after = await t.sibling({ secret_keys: [newer] });
  const opens = async (app: TestApp, token: string) =>
    (await app.call('GET', '/api/users/profile/', { as: { access: token } })).status;
  for (const app of [learning, signing]) expect(await opens(app, access)).toBe(200);
  const refreshed = (await refreshWith(refresh, { rotate: true }, signing)).body;
  expect(await opens(learning, refreshed.access)).toBe(200);
  expect(await opens(after, refreshed.access)).toBe(200);
  const verified = await signing.call('POST', '/api/users/verify-email/', {
    body: { email, code },
  });
  expect(verified.status).toBe(200);

  expect(await opens(after, access)).toBe(401);
  const again = await refreshWith(refreshed.refresh, { rotate: true }, after);
  expect(again.status).toBe(200);
  expect(await opens(after, again.body.access)).toBe(200);
  const foreign = await t.sibling({ secret_keys: ['nQ5wX8kB1tZ9mV3cR7yL2pH6sD4fJ0aE'] });
  expect(await opens(foreign, again.body.access)).toBe(401);
});

test('P4: the next request of an ended session is refused', async () => {
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
  test('the 21st session ends the session that was idle longest', async () => {
    const player = await makePlayer(t);
    const sessions = [];
    for (let n = 0; n < 20; n += 1) {
      sessions.push(await makeSession(t, player));
      t.clock.advance(1000);
    }
    // The second session is now idle the longest.
    await refreshWith(sessions[0]?.refresh ?? '');
    t.clock.advance(1000);
    await makeSession(t, player);
    expect(await sessionsOf(player)).toHaveLength(20);
    expect((await refreshWith(sessions[0]?.refresh ?? '')).status).toBe(200);
    expect((await refreshWith(sessions[1]?.refresh ?? '')).status).toBe(401);
    expect((await refreshWith(sessions[2]?.refresh ?? '')).status).toBe(200);
  });

  test('50 parallel sign-ins leave 20 sessions, and do not touch another player', async () => {
    const [player, other] = [await makePlayer(t), await newSession()];
    await Promise.all(Array.from({ length: 50 }, () => makeSession(t, player)));
    expect(await sessionsOf(player)).toHaveLength(20);
    expect(await sessionsOf(other.player)).toHaveLength(1);
  });
});

describe('P8: signing out', () => {
  const logout = (refresh: string) =>
    t.call('POST', '/api/users/auth/logout/', { body: { refresh } });

  test('a sign-out ends the session, even if repeated or with an expired bearer', async () => {
    const { access, refresh } = await newSession();
    t.clock.advance(11 * MINUTE);
    for (let n = 0; n < 2; n += 1) {
      const answer = await t.call('POST', '/api/users/auth/logout/', {
        body: { refresh },
        as: { access },
      });
      expect([answer.status, answer.body]).toEqual([204, '']);
    }
    expect((await refreshWith(refresh)).status).toBe(401);
  });

  test('a sign-out works with a token that has been replaced', async () => {
    const { player, refresh } = await newSession();
    await refreshWith(refresh, { rotate: true });
    expect((await logout(refresh)).status).toBe(204);
    expect(await sessionsOf(player)).toHaveLength(0);
  });

  test('a sign-out with a forged token ends nothing', async () => {
    const { player, refresh } = await newSession();
    const bytes = Buffer.from(refresh.slice(4), 'base64url');
    bytes.fill(1, 16);
    for (const token of [`bbr_${bytes.toString('base64url')}`, 'garbage', ''])
      expect((await logout(token)).status).toBe(204);
    expect(await sessionsOf(player)).toHaveLength(1);
  });
});

describe('P8: the list of sessions', () => {
  const list = (access: string) => t.call('GET', '/api/users/sessions/', { as: { access } });
  const end = (access: string, id = '') =>
    t.call('DELETE', `/api/users/sessions/${id === '' ? '' : `${id}/`}`, { as: { access } });

  test('the list has the caller’s sessions with the browser but no address, and marks the current one', async () => {
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

  test('API-06: the call that ends one session answers 204 even if repeated, and never 404 or 405', async () => {
    const { player, access } = await newSession();
    const other = await makeSession(t, player);
    const { body } = await list(other.access);
    const id = body.results.find((one: { current: boolean }) => one.current).id;
    for (const which of [
      id,
      id,
      'nonsense',
      'x'.repeat(200),
      '%00',
      '00000000-0000-0000-0000-000000000000',
    ])
      expect([which, (await end(access, which)).status]).toEqual([which, 204]);
    expect((await profile(other.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(200);
  });

  test('a player cannot end a session of another player', async () => {
    const [mine, theirs] = [await newSession(), await newSession()];
    const { body } = await list(theirs.access);
    expect((await end(mine.access, body.results[0].id)).status).toBe(204);
    expect((await profile(theirs.access)).status).toBe(200);
  });

  test('one call ends all other sessions of the player', async () => {
    const { player, access } = await newSession();
    const others = [await makeSession(t, player), await makeSession(t, player)];
    expect((await end(access)).status).toBe(204);
    for (const other of others) expect((await profile(other.access)).status).toBe(401);
    expect((await profile(access)).status).toBe(200);
  });

  test('openAmong returns the sessions that still exist', async () => {
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
])('P8: the browser %s is called %s', (agent, name) => {
  expect(clientName(agent)).toBe(name);
});
