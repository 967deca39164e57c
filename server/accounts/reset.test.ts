import { createECDH } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import { makeIp, makeLeague, makePlayer, makeSession, makeTeam } from '#testing/app/make.ts';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { readCode, setJoining } from '../leagues/joining.ts';
import { hashPassword } from './passwords.ts';
import { LINK_WRONG } from './reset.ts';

const OLD = 'quiet orange kite';
const NEW = 'another quiet kite';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const t = withApp();
let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(OLD);
});

const post = (path: string, body: unknown, ip = makeIp(), app = t) =>
  app.call('POST', `/api/users/${path}/`, { body, ip });
const request = (email: string, ip?: string) => post('auth/request-password-reset', { email }, ip);
const reset = (link: { email: string; token: string }, password = NEW, app = t) =>
  post('auth/reset-password', { ...link, password }, undefined, app);
const login = (email: string, password: string) => post('auth/login', { email, password });
const mailCount = async (email: string) => (await t.mails(email)).length;
async function linkOf(email: string, nth = 1, ip = makeIp()) {
  await request(email, ip);
  await expect.poll(() => mailCount(email)).toBe(nth);
  return linkFor(t, email);
}

describe('P24: requesting a link', () => {
  test('every address gets the same response, and a known address also gets a mail', async () => {
    const known = (await makePlayer(t, { password_hash })).email;
    const passwordless = (await makePlayer(t)).email;
    const unproven = (await makePlayer(t, { email_verified_at: null })).email;
    const answers = [];
    for (const email of [known, passwordless, unproven, 'nobody@example.com']) {
      const { status, body } = await request(email);
      answers.push([status, body]);
    }
    expect(answers[0]).toEqual([200, { detail: expect.any(String) }]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    for (const email of [known, passwordless, unproven]) {
      await expect.poll(() => mailCount(email)).toBe(1);
      expect((await linkFor(t, email)).email).toBe(email);
    }
    expect(await mailCount('nobody@example.com')).toBe(0);
  });

  test('the response comes before the mail, so that the timing reveals nothing', async () => {
    const slow = await testApp();
    let letGo: (() => void) | undefined;
    slow.mail.enqueue = () =>
      new Promise((resolve) => {
        letGo = resolve;
      });
    const { email } = await makePlayer(slow);
    const answer = await post('auth/request-password-reset', { email }, undefined, slow);
    expect(answer.status).toBe(200);
    await expect.poll(() => letGo).toBeDefined();
    letGo?.();
    await slow.close();
  });

  test('requests cause one mail a minute and five an hour at most, always with the same response', async () => {
    const { email } = await makePlayer(t);
    const ip = makeIp();
    const answers = await Promise.all(Array.from({ length: 10 }, () => request(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await expect.poll(() => mailCount(email)).toBe(1);
    // The other nine requests are still being refused.
    await expect.poll(() => t.pool.idleCount).toBe(t.pool.totalCount);
    for (let nth = 2; nth <= 6; nth += 1) {
      t.clock.advance(MINUTE);
      await linkOf(email, nth, ip);
    }
    t.clock.advance(MINUTE);
    expect((await request(email, ip)).status).toBe(200);
    // Mails are sent in order: once this link has arrived, so have all earlier mails.
    await linkOf((await makePlayer(t)).email);
    expect(await mailCount(email)).toBe(6);
    // The stranger has not used up the owner's requests (P79d).
    await linkOf(email, 7);
    t.clock.advance(HOUR);
    await linkOf(email, 8, ip);
  });

  test('P79d: an account gets at most ten links a day by requests of one network', async () => {
    const { email } = await makePlayer(t, { password_hash });
    const ip = makeIp();
    for (let nth = 1; nth <= 10; nth += 1) {
      await linkOf(email, nth, ip);
      t.clock.advance(13 * MINUTE);
    }
    await request(email, ip);
    await linkOf((await makePlayer(t)).email);
    expect(await mailCount(email)).toBe(10);
    await linkOf(email, 11);
    t.clock.advance(23 * HOUR);
    await linkOf(email, 12, ip);
  });

  test('P79d: an account gets at most 60 links a day by requests of all networks', async () => {
    const { email } = await makePlayer(t, { password_hash });
    for (let nth = 1; nth <= 60; nth += 1) {
      await linkOf(email, nth);
      t.clock.advance(MINUTE);
    }
    await request(email);
    await linkOf((await makePlayer(t)).email);
    expect(await mailCount(email)).toBe(60);
    t.clock.advance(24 * HOUR);
    await linkOf(email, 61);
  });

  test('one network may send 20 requests an hour', async () => {
    const ip = makeIp();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => request(`from-one-place${n}@example.com`, ip)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('P24: many requests of one network do not tell whether an address has an account', async () => {
    const statuses = async (email: string) => {
      const [ip, seen] = [makeIp(), [] as number[]];
      for (let nth = 0; nth < 22; nth += 1) {
        seen.push((await request(email, ip)).status);
        // The server charges the account's limits after its response.
        await expect.poll(() => t.pool.idleCount, { interval: 5 }).toBe(t.pool.totalCount);
      }
      return seen;
    };
    const known = await statuses((await makePlayer(t)).email);
    expect(known.slice(-2)).toEqual([429, 429]);
    expect(await statuses('nobody-at-all@example.com')).toEqual(known);
  });

  test('P41: shutdown waits until a requested link is mailed', async () => {
    const other = await testApp();
    const { email } = await makePlayer(other);
    await other.call('POST', '/api/users/auth/request-password-reset/', { body: { email } });
    await other.app.close();
    expect(await other.mails(email)).toHaveLength(1);
    await other.close();
  });

  test('P25: the link leads to the configured site, whatever the Host header', async () => {
    const { email } = await makePlayer(t);
    // In production, any host that the proxy passes on is accepted (P47).
    const production = await t.sibling({ production: true });
    await production.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email },
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      ip: makeIp(),
    });
    await expect.poll(() => mailCount(email)).toBe(1);
    const [mail] = await t.mails(email);
    expect(mail?.text).toContain('http://localhost:3000/reset-password?');
    expect(mail?.text).not.toContain('evil');
  });
});

describe('P23: the link', () => {
  test('P7: the link sets the password once, replaces all sessions by a new one, and notifies the owner', async () => {
    const player = await makePlayer(t, { password_hash });
    const before = [await makeSession(t, player), await makeSession(t, player)];
    const link = await linkOf(player.email);
    const answer = await reset(link);
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ uuid: player.uuid, has_set_password: true });
    const profile = (as: { access: string }) => t.call('GET', '/api/users/profile/', { as });
    expect((await profile(answer.body.tokens)).status).toBe(200);
    for (const as of before) expect((await profile(as)).status).toBe(401);
    const [notice] = await t.mails(player.email);
    expect(notice?.subject).toBe('Your password was changed');

    const again = await reset(link, 'yet another kite');
    expect([again.status, again.body]).toEqual([400, { detail: LINK_WRONG }]);
    expect((await login(player.email, OLD)).status).toBe(400);
    expect((await login(player.email, NEW)).status).toBe(200);
  });

  test('a link used 20 times in parallel over two processes works once', async () => {
    const player = await makePlayer(t, { password_hash });
    const link = await linkOf(player.email);
    const other = await t.sibling();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(link, `quiet kite ${n}`, n % 2 ? t : other)),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The others get 400, or 503 after a long wait to hash.
    const rest = answers.map(({ status }) => status).filter((status) => status !== 200);
    expect(rest.filter((status) => status !== 400 && status !== 503)).toEqual([]);
    expect((await login(player.email, `quiet kite ${won}`)).status).toBe(200);
  });

  test('a link expires after an hour', async () => {
    const { email } = await makePlayer(t);
    const link = await linkOf(email);
    t.clock.advance(HOUR);
    expect((await reset(link)).status).toBe(400);
  });

  test('a link stops working when another link is sent', async () => {
    const { email } = await makePlayer(t);
    const first = await linkOf(email);
    t.clock.advance(MINUTE);
    const second = await linkOf(email, 2);
    expect((await reset(first)).status).toBe(400);
    expect((await reset(second)).status).toBe(200);
  });

  test('a link works only for its account and address', async () => {
    const [one, other] = [await makePlayer(t), await makePlayer(t)];
    const link = await linkOf(one.email);
    await linkOf(other.email);
    expect((await reset({ ...link, email: other.email })).status).toBe(400);
    expect((await reset({ ...link, email: 'nobody@example.com' })).status).toBe(400);
    await t.db
      .updateTable('players')
      .set({ email: 'moved@example.com' })
      .where('id', '=', one.id)
      .execute();
    expect((await reset(link)).status).toBe(400);
    expect((await reset({ ...link, email: 'moved@example.com' })).status).toBe(400);
  });

  test('a link still works after a refused password and after guesses by strangers', async () => {
    const player = await makePlayer(t);
    const link = await linkOf(player.email);
    for (const [password, says] of [
      ['short', 'at least 8'],
      ['a'.repeat(129), 'at most 128'],
      ['password1', 'stolen'],
      ['basketball-7', 'too close'],
      [`${player.username}!`, 'too close'],
    ] as const) {
      const answer = await reset(link, password);
      expect(answer.status).toBe(400);
      expect(answer.body.password[0]).toContain(says);
    }
    for (let n = 0; n < 10; n += 1)
      expect((await reset({ ...link, token: `guess${n}` })).status).toBe(400);
    expect((await reset(link)).status).toBe(200);
  });

  test('a link has 256 random bits, which are stored as a hash only', async () => {
    const { id, email } = await makePlayer(t);
    const { token } = await linkOf(email);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const rows = await t.db.selectFrom('codes').selectAll().where('player_id', '=', id).execute();
    expect(rows[0]?.hash).toHaveLength(32);
    expect(rows[0]?.hash.toString('base64url')).not.toBe(token);
  });

  test('P12: a link stops working when the password is changed in the profile', async () => {
    const player = await makePlayer(t, { password_hash });
    const link = await linkOf(player.email);
    const as = await makeSession(t, player);
    const changed = await t.call('PATCH', '/api/users/profile/', { as, body: { password: NEW } });
    expect(changed.status).toBe(200);
    expect((await reset(link, 'yet another kite')).status).toBe(400);
    expect((await login(player.email, NEW)).status).toBe(200);
  });

  test('P9: a link still works after the secret is rotated', async () => {
    const { email } = await makePlayer(t);
    const link = await linkOf(email);
    const older = t.config.secret_keys;
    t.config.secret_keys = ['pL8yZ1cF5dS0aGkW9xT2vQ7mN4bJ6hR3', ...older];
    try {
      expect((await reset(link)).status).toBe(200);
    } finally {
      t.config.secret_keys = older;
    }
  });
});

test('P24: the link verifies an address and deletes what a stranger planted in its unverified account', async () => {
  const planted = await makePlayer(t, { email_verified_at: null, password_hash });
  const as = await makeSession(t, planted);
  const link = await linkOf(planted.email);
  const { status, body } = await reset(link);
  expect(status).toBe(200);
  expect(body.user).toMatchObject({
    username: '',
    date_of_birth: null,
    has_set_password: true,
    profile_setup_complete: false,
  });
  expect(body.user.uuid).not.toBe(planted.uuid);
  expect((await t.call('GET', '/api/users/profile/', { as })).status).toBe(401);
  expect((await login(planted.email, OLD)).status).toBe(400);
  expect((await login(planted.email, NEW)).status).toBe(200);
});

test('P7: a reset also invalidates a verification code', async () => {
  const email = 'both@example.com';
  await post('auth/register', { email });
  const code = await codeFor(t, email);
  expect((await reset(await linkOf(email, 2))).status).toBe(200);
  expect((await post('verify-email', { email, code })).status).toBe(400);
  const codes = await t.db
    .selectFrom('codes')
    .select('purpose')
    .where('email', '=', email)
    .execute();
  expect(codes).toEqual([{ purpose: 'reset_password' }]);
});

test('P12: the owner can take the account back with the link in the notice of a password change', async () => {
  const player = await makePlayer(t, { password_hash });
  const thief = await makeSession(t, player);
  await t.call('PATCH', '/api/users/profile/', {
    as: thief,
    body: { password: 'mine now, all mine' },
  });
  const link = await linkFor(t, player.email);
  expect((await reset(link)).status).toBe(200);
  expect((await t.call('GET', '/api/users/profile/', { as: thief })).status).toBe(401);
  expect((await login(player.email, NEW)).status).toBe(200);
});

describe('P4: a request whose body comes late fails if its session has ended', () => {
  const PLANTED = 'planted quiet kite';
  /**
   * Sends a request's head, and waits until the server has read the session. Returns a function
   * that sends the body and returns the status.
   */
  async function begin(access: string, line: string, body: string) {
    const address = t.app.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    const socket = connect(address.port, '127.0.0.1');
    const arrived = once(t.app.server, 'request');
    socket.write(
      `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${access}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    );
    await arrived;
    // Sessions are read in order, so the held request's has been read.
    const { status } = await t.call('GET', '/api/users/profile/', { as: { access } });
    expect(status).toBe(200);
    return async () => {
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
      });
      const ended = once(socket, 'close');
      socket.write(body);
      await ended;
      return Number(text.split(' ')[1]);
    };
  }

  async function openTeam(): Promise<string> {
    const league = await makeLeague(t);
    await setJoining(t, league, 'open');
    return readCode(t.db, await makeTeam(t, league));
  }

  beforeAll(() => t.app.listen({ port: 0, host: '127.0.0.1' }));

  const DEVICE = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/planted',
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
    locale: 'en',
    zone: 'UTC',
  };
  const CHANGES: [line: string, body: object][] = [
    ['PATCH /api/users/profile/', { password: PLANTED }],
    ['PATCH /api/users/profile/', { username: 'planted' }],
    ['PATCH /api/users/profile/', { date_of_birth: new Date().toISOString().slice(0, 10) }],
    ['POST /api/users/profile/new-code/', {}],
    ['DELETE /api/users/profile/', {}],
    ['DELETE /api/users/profile/', { password: NEW }],
    ['DELETE /api/users/google/', { password: NEW }],
    ['DELETE /api/users/oidc/', { password: NEW }],
    ['DELETE /api/users/sessions/', {}],
    ['DELETE /api/users/sessions/{id}/', {}],
    ['POST /api/users/profile/games/{id}/report/', { reason: 'not_mine' }],
    ['DELETE /api/users/profile/games/{id}/report/', {}],
    ['POST /api/teams/join/{code}/', {}],
    ['DELETE /api/teams/request/', {}],
    ['POST /api/cups/{id}/leave/', {}],
    ['POST /api/users/profile/asks/', { wall: 'no' }],
    ['PATCH /api/users/push/', { ask: 'later' }],
    ['PUT /api/users/push/device/', DEVICE],
    ['DELETE /api/users/push/devices/{id}/', {}],
    ['POST /api/users/push/test/', {}],
    ['POST /api/users/duels/', { username: 'nobody' }],
    ['POST /api/users/duels/{id}/accept/', {}],
    ['POST /api/users/duels/{id}/decline/', {}],
    ['POST /api/users/duels/{id}/block/', {}],
    ['DELETE /api/users/duels/{id}/', {}],
    ['POST /api/users/nudges/', { username: 'nobody' }],
    ['POST /api/friends/code/', {}],
    ['POST /api/friends/code/answer/', { yes: true, expires_at: '2026-01-01T00:00:00Z' }],
    ['POST /api/friends/open/', { code: 'ABCDEFGH' }],
    ['POST /api/friends/ask/', { code: 'ABCDEFGH' }],
    ['DELETE /api/friends/{n}/', {}],
    ['POST /api/friends/{n}/block/', {}],
    ['DELETE /api/blocks/{n}/', {}],
  ];
  /** These call the provider before they check the session again. */
  const LINKS = ['POST /api/users/google/', 'POST /api/users/oidc/'];

  test('every changing route of a player is in the table', () => {
    const paths = t.app.swagger().paths ?? {};
    const changing = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { security?: object[] }>).flatMap(
        ([method, { security = [] }]) =>
          method !== 'get' && security.some((caller) => 'player' in caller)
            ? [`${method.toUpperCase()} ${path}`]
            : [],
      ),
    );
    expect([...new Set(CHANGES.map(([line]) => line)), ...LINKS].sort()).toEqual(changing.sort());
  });

  test.each(CHANGES)('%s %j', async (line, body) => {
    const player = await makePlayer(t, { password_hash, date_of_birth: null });
    await t.db
      .insertInto('identities')
      .values({
        issuer: 'https://accounts.google.com',
        subject: player.email,
        player_id: player.id,
        created_at: t.clock.now(),
        authoritative: true,
      })
      .execute();
    const { access } = await makeSession(t, player);
    const link = await linkOf(player.email);
    const go = await begin(
      access,
      line
        .replace(/(cups|devices)\/\{id\}/, '$1/1')
        .replace('{n}', '1')
        .replace('{id}', crypto.randomUUID())
        .replace('{code}', await openTeam()),
      JSON.stringify(body),
    );
    const owner = await reset(link);
    expect(owner.status).toBe(200);
    const before = await t.db
      .selectFrom('players')
      .select(['uuid', 'username', 'password_hash', 'birthdate_refused_until', 'team_id'])
      .where('id', '=', player.id)
      .executeTakeFirst();

    expect(await go()).toBe(401);
    const mine = await t.call('GET', '/api/users/profile/', { as: owner.body.tokens });
    expect(mine.status).toBe(200);
    expect(mine.body.sign_in_methods).toEqual(['password', 'google']);
    const after = await t.db
      .selectFrom('players')
      .select(['uuid', 'username', 'password_hash', 'birthdate_refused_until', 'team_id'])
      .where('id', '=', player.id)
      .executeTakeFirst();
    expect(after).toEqual(before);
  });
});
