import { describe, expect, test } from 'vitest';
import { EMAIL_EXISTS } from '#contract/rules/email.ts';
import { codeFor } from '#testing/app/mails.ts';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { markVenue } from '../http/limits.ts';
import { hashPassword } from './passwords.ts';
import { CODE_WRONG } from './signup.ts';

const t = withApp();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let people = 0;
const anEmail = () => `person${++people}@example.com`;

const post = (path: string, body: unknown, ip = makeIp(), app = t) =>
  app.call('POST', `/api/users/${path}/`, { body, ip });
const register = (email: string, ip?: string, app = t) => post('auth/register', { email }, ip, app);
const resend = (email: string, ip?: string) => post('resend-verification', { email }, ip);
const verify = (email: string, code: string, { app = t, ip = makeIp() } = {}) =>
  post('verify-email', { email, code }, ip, app);
const accountOf = (email: string) =>
  t.db.selectFrom('players').selectAll().where('email', '=', email).executeTakeFirst();
const mailCount = async (email: string) => (await t.mails(email)).length;
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

test('a new player signs up by mail, sets up the profile, signs out and signs in again', async () => {
  const email = 'Nova@Example.com ';
  const registered = await t.call('POST', '/api/users/auth/register/', {
    body: { email, username: 'temp_123', profile_setup_complete: false },
  });
  expect(registered.status).toBe(201);
  expect(registered.body.user).toMatchObject({ email: 'nova@example.com', username: '' });

  const [mail] = await t.mails('nova@example.com');
  const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0];
  const verified = await t.call('POST', '/api/users/verify-email/', { body: { email, code } });
  expect(verified.status).toBe(200);
  const as = verified.body.tokens;

  const born = await t.call('PATCH', '/api/users/profile/', {
    as,
    body: { date_of_birth: '2004-09-14' },
  });
  expect(born.body).toMatchObject({ date_of_birth: '2004-09-14', profile_setup_complete: false });
  const done = await t.call('PATCH', '/api/users/profile/', {
    as,
    body: {
      username: 'nova_7',
      password: 'quiet orange kite',
      avatar_color: '#c9143a',
      jersey_number: '7',
      profile_setup_complete: true,
      has_set_password: true,
    },
  });
  expect(done.status).toBe(200);
  expect(done.body).toMatchObject({
    username: 'nova_7',
    avatar_color: '#C9143A',
    jersey_number: '07',
    profile_setup_complete: true,
    has_set_password: true,
    sign_in_methods: ['password'],
  });

  const refresh = as.refresh;
  expect((await t.call('POST', '/api/users/auth/logout/', { body: { refresh } })).status).toBe(204);
  expect((await t.call('GET', '/api/users/profile/', { as })).status).toBe(401);

  const login = await t.call('POST', '/api/users/auth/login/', {
    body: { email, password: 'quiet orange kite' },
  });
  expect(login.status).toBe(200);
  const refreshed = await t.call('POST', '/api/users/auth/token/refresh/', {
    body: { refresh: login.body.refresh },
  });
  expect(Object.keys(refreshed.body)).toEqual(['access']);
  const profile = await t.call('GET', '/api/users/profile/', { as: refreshed.body });
  expect(profile.body).toEqual(done.body);
});

describe('registering', () => {
  test('P6: a registration returns no tokens, ignores all but the address, and mails a code', async () => {
    const email = anEmail();
    const answer = await post('auth/register', {
      email,
      username: 'planted',
      password: 'planted by a stranger',
      date_of_birth: '2000-01-01',
      email_verified_at: '2000-01-01',
      profile_setup_complete: true,
      team_id: 1,
    });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).sort()).toEqual(['detail', 'user']);
    expect(answer.body.user).toMatchObject({
      email,
      username: '',
      has_set_password: false,
      profile_setup_complete: false,
      date_of_birth: null,
      avatar_color: '#377AD3',
      jersey_number: '00',
      league_mode_enabled: false,
      team: null,
      user_stat: { games_played: 0, highscore: 0, avg_score: 0 },
    });
    expect(await accountOf(email)).toMatchObject({
      email_verified_at: null,
      username: null,
      password_hash: null,
      date_of_birth: null,
    });
    expect(await codeFor(t, email)).toMatch(/^\d{6}$/);
  });

  test('P27: registering a verified address gives a field error and sends no mail', async () => {
    const { email } = await makePlayer(t);
    const answer = await register(email);
    expect([answer.status, answer.body]).toEqual([400, { email: [EMAIL_EXISTS] }]);
    expect(await mailCount(email)).toBe(0);
  });

  test('P27: registering an unverified address again deletes all that a stranger had entered for it', async () => {
    const planted = await makePlayer(t, {
      email_verified_at: null,
      username: 'planted',
      password_hash: await hashPassword('planted by a stranger'),
      date_of_birth: '2000-01-01',
      league_mode_enabled: true,
    });
    const { email } = planted;
    const { access, refresh } = await makeSession(t, planted);
    await t.db
      .insertInto('identities')
      .values({ issuer: 'x', subject: 'y', player_id: planted.id, created_at: t.clock.now() })
      .execute();

    expect((await register(email)).status).toBe(201);
    expect((await t.call('GET', '/api/users/profile/', { as: { access } })).status).toBe(401);
    expect((await post('auth/token/refresh', { refresh })).status).toBe(401);
    const { user } = (await verify(email, await codeFor(t, email))).body;
    expect(user).toMatchObject({
      username: '',
      has_set_password: false,
      sign_in_methods: [],
      date_of_birth: null,
      league_mode_enabled: false,
    });
    expect(user.uuid).not.toBe(planted.uuid);
    expect((await post('auth/login', { email, password: 'planted by a stranger' })).status).toBe(
      400,
    );
  });

  test('P27: verifying an address replaces the uuid that the registration returned', async () => {
    const email = anEmail();
    const { uuid } = (await register(email)).body.user;
    const { user } = (await verify(email, await codeFor(t, email))).body;
    expect(user.uuid).not.toBe(uuid);
  });

  test('50 parallel registrations of one address make one account and send one mail', async () => {
    const email = anEmail();
    // All wait for one row. On a slow computer, some get no connection in time (P38).
    const insist = async () => {
      let answer = await register(email);
      while (answer.status === 503) answer = await register(email);
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, insist));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(
      await t.db.selectFrom('players').select('id').where('email', '=', email).execute(),
    ).toHaveLength(1);
    expect(await mailCount(email)).toBe(1);
    expect((await verify(email, await codeFor(t, email))).status).toBe(200);
  });

  test('P25: a mail that cannot be queued rolls the account back', async () => {
    const email = anEmail();
    const { mail } = t;
    const enqueue = mail.enqueue;
    mail.enqueue = () => Promise.reject(new Error('the queue is broken'));
    try {
      expect((await register(email)).status).toBe(500);
    } finally {
      mail.enqueue = enqueue;
    }
    expect(await accountOf(email)).toBeUndefined();
    // The failed registration's cooldown was rolled back.
    expect((await register(email)).status).toBe(201);
    expect(await mailCount(email)).toBe(1);
  });
});

describe('P20: the code', () => {
  const pending = async () => {
    const email = anEmail();
    await register(email);
    return { email, code: await codeFor(t, email) };
  };

  test('a code verifies the address once and opens a session', async () => {
    const { email, code } = await pending();
    const answer = await verify(email, code);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.tokens).sort()).toEqual(['access', 'refresh']);
    expect((await accountOf(email))?.email_verified_at).not.toBeNull();
    const again = await verify(email, code);
    expect([again.status, again.body]).toEqual([400, { detail: CODE_WRONG }]);
  });

  test('a code expires after ten minutes', async () => {
    const { email, code } = await pending();
    t.clock.advance(10 * MINUTE);
    expect((await verify(email, code)).status).toBe(400);
    expect((await accountOf(email))?.email_verified_at).toBeNull();
  });

  test('one network may try codes 30 times a minute, whatever the address', async () => {
    const ip = makeIp();
    const guess = () => post('verify-email', { email: anEmail(), code: '000000' }, ip);
    for (let n = 0; n < 30; n += 1) expect((await guess()).status).toBe(400);
    const counted = () =>
      t.db
        .selectFrom('limits')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where('key', 'like', 'code-wrong:%')
        .executeTakeFirst();
    const before = await counted();
    const refused = await guess();
    expect([refused.status, refused.body]).toEqual([
      429,
      {
        detail: 'Too many attempts. Please wait and try again.',
        work: { salt: expect.any(String), bits: 8, expires_at: expect.any(String) },
      },
    ]);
    expect(await counted()).toEqual(before);
    t.clock.advance(MINUTE);
    expect((await guess()).status).toBe(400);
  });

  test('codes are uniform over six digits, with leading zeros', async () => {
    const codes = [];
    for (let n = 0; n < 60; n += 1) codes.push((await pending()).code);
    expect(new Set(codes).size).toBeGreaterThan(55);
    expect(codes.filter((code) => code < '500000').length).toBeGreaterThan(10);
    expect(codes.filter((code) => code < '500000').length).toBeLessThan(50);
  });

  test('one network has five tries at a code, including the right one', async () => {
    const ip = makeIp();
    const four = await pending();
    for (let n = 1; n <= 4; n += 1) await verify(four.email, wrong(four.code, n), { ip });
    expect((await verify(four.email, four.code, { ip })).status).toBe(200);
    const five = await pending();
    for (let n = 1; n <= 5; n += 1) await verify(five.email, wrong(five.code, n), { ip });
    expect((await verify(five.email, five.code, { ip })).status).toBe(400);
    // A stranger has not used up the owner's tries (P79d).
    expect((await verify(five.email, five.code)).status).toBe(200);
  });

  test('of 50 parallel wrong codes over two processes, five are checked', async () => {
    const { email, code } = await pending();
    const [other, ip] = [await t.sibling(), makeIp()];
    // Mark the network as a venue's, so that its own limit does not stop the tries.
    await markVenue(t, ip);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        verify(email, n === 30 ? code : wrong(code, n + 1), { app: n % 2 ? t : other, ip }),
      ),
    );
    const withStatus = (status: number) => answers.filter((one) => one.status === status);
    expect(withStatus(200).length).toBeLessThanOrEqual(1);
    if (withStatus(200).length === 1) return;
    expect(withStatus(400)).toHaveLength(20);
    expect(withStatus(429)).toHaveLength(30);
    const tried = await t.db
      .selectFrom('limits')
      .select('points')
      .where('key', 'like', 'code-try:%')
      .orderBy('points', 'desc')
      .executeTakeFirst();
    expect(tried?.points).toBe(20);
  });

  test('P79d: 60 wrong tries in a day from all networks pause codes for the account', async () => {
    const { email, code } = await pending();
    for (let n = 1; n <= 60; n += 1) expect((await verify(email, wrong(code, n))).status).toBe(400);
    const paused = await verify(email, code);
    expect([paused.status, paused.body]).toEqual([
      429,
      { detail: expect.stringContaining('Mail me a link instead') },
    ]);
  });

  test('a code used 20 times in parallel opens one session', async () => {
    const { email, code } = await pending();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(email, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    const sessions = await t.db
      .selectFrom('sessions')
      .innerJoin('players', 'players.id', 'sessions.player_id')
      .select('sessions.id')
      .where('players.email', '=', email)
      .execute();
    expect(sessions).toHaveLength(1);
  });

  test('after 20 wrong tries in a day a network cannot use codes for the account, even new ones', async () => {
    const { email } = await pending();
    const ip = makeIp();
    for (let round = 0; round < 4; round += 1) {
      const code = await codeFor(t, email);
      for (let n = 1; n <= 5; n += 1)
        expect((await verify(email, wrong(code, n), { ip })).status).toBe(400);
      t.clock.advance(MINUTE);
      expect((await resend(email)).status).toBe(200);
    }
    const paused = await verify(email, await codeFor(t, email), { ip });
    expect(paused.status).toBe(429);
    expect(paused.body.detail).toContain('Mail me a link instead');
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(3600);
    expect((await post('auth/request-password-reset', { email })).status).toBe(200);
    t.clock.advance(DAY);
    await resend(email);
    expect((await verify(email, await codeFor(t, email))).status).toBe(200);
  });

  test('a new code replaces the old one', async () => {
    const { email, code } = await pending();
    t.clock.advance(MINUTE);
    await resend(email);
    const next = await codeFor(t, email);
    if (next !== code) expect((await verify(email, code)).status).toBe(400);
    expect((await verify(email, next)).status).toBe(200);
  });

  test('a code works for no other account', async () => {
    const [one, other] = [await pending(), await pending()];
    if (one.code !== other.code) expect((await verify(other.email, one.code)).status).toBe(400);
    await t.db
      .updateTable('codes')
      .set((eb) => ({
        hash: eb
          .selectFrom('codes as c')
          .innerJoin('players as p', 'p.id', 'c.player_id')
          .select('c.hash')
          .where('p.email', '=', one.email)
          .$asScalar(),
        salt: eb
          .selectFrom('codes as c')
          .innerJoin('players as p', 'p.id', 'c.player_id')
          .select('c.salt')
          .where('p.email', '=', one.email)
          .$asScalar(),
      }))
      .where('email', '=', other.email)
      .execute();
    expect((await verify(other.email, one.code)).status).toBe(400);
  });

  test('a code does not work as a reset token, nor a reset token as a code', async () => {
    const { email, code } = await pending();
    const reset = await post('auth/reset-password', {
      email,
      token: code,
      password: 'quiet orange kite',
    });
    expect(reset.status).toBe(400);
    expect((await verify(email, code)).status).toBe(200);
  });

  test('P21: a code is stored as a salted hash', async () => {
    const { email, code } = await pending();
    const rows = await t.db.selectFrom('codes').selectAll().where('email', '=', email).execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(rows[0]?.hash).toHaveLength(32);
    expect(rows[0]?.salt).toHaveLength(16);
    // Somebody who stole the rows but not SECRET_KEY cannot find the code by trying all million:
    // with another key, even the right code fails.
    const keyless = await t.sibling({ secret_keys: ['nQ5wX8kB1tZ9mV3cR7yL2pH6sD4fJ0aE'] });
    const body = { email, code };
    const there = await keyless.call('POST', '/api/users/verify-email/', { body, ip: makeIp() });
    expect(there.status).toBe(400);
    expect((await verify(email, code)).status).toBe(200);
  });

  test('ACC-18: a verified account gets no code, and no code works for it', async () => {
    const player = await makePlayer(t);
    expect((await resend(player.email)).status).toBe(200);
    expect(await mailCount(player.email)).toBe(0);
    const answer = await verify(player.email, '123456');
    expect([answer.status, answer.body]).toEqual([400, { detail: CODE_WRONG }]);
    const { email, code } = await pending();
    await t.db
      .updateTable('players')
      .set({ email_verified_at: t.clock.now() })
      .where('email', '=', email)
      .execute();
    expect((await verify(email, code)).status).toBe(400);
  });

  test('P7: verifying ends every earlier session', async () => {
    const { email, code } = await pending();
    const before = await makeSession(t, { id: (await accountOf(email))?.id ?? 0 });
    expect((await verify(email, code)).status).toBe(200);
    expect((await t.call('GET', '/api/users/profile/', { as: before })).status).toBe(401);
  });

  test.each(['', '12345', '1234567', '12345a', '１２３４５', ' 123456', 123456, null, ['123456']])(
    '%j is not a code',
    async (code) => {
      const answer = await post('verify-email', { email: anEmail(), code });
      expect([answer.status, answer.body]).toEqual([400, { code: [expect.any(String)] }]);
    },
  );
});

describe('P22: resending', () => {
  test('a request within a minute gets 200 and no mail; after five mails in an hour a network gets 429', async () => {
    const email = anEmail();
    const ip = makeIp();
    await register(email, ip);
    for (let n = 2; n <= 5; n += 1) {
      expect((await resend(email, ip)).status).toBe(200);
      expect(await mailCount(email)).toBe(n - 1);
      t.clock.advance(MINUTE);
      expect((await resend(email, ip)).status).toBe(200);
      expect(await mailCount(email)).toBe(n);
    }
    t.clock.advance(MINUTE);
    expect((await resend(email, ip)).status).toBe(429);
    expect((await register(email, ip)).status).toBe(429);
    // The stranger has not used up the owner's requests (P79d).
    expect((await resend(email)).status).toBe(200);
    expect(await mailCount(email)).toBe(6);
    t.clock.advance(HOUR);
    expect((await resend(email, ip)).status).toBe(200);
    expect(await mailCount(email)).toBe(7);
  });

  test('P79d: one network can have at most ten codes mailed in a day', async () => {
    const email = anEmail();
    const ip = makeIp();
    await register(email, ip);
    for (let n = 1; n < 10; n += 1) {
      t.clock.advance(15 * MINUTE);
      expect((await resend(email, ip)).status).toBe(200);
    }
    expect(await mailCount(email)).toBe(10);
    t.clock.advance(HOUR);
    expect((await resend(email, ip)).status).toBe(429);
    t.clock.advance(DAY);
    expect((await resend(email, ip)).status).toBe(200);
  });

  test('P79d: an address gets at most 60 codes in a day', async () => {
    const email = anEmail();
    await register(email);
    for (let n = 1; n < 60; n += 1) {
      t.clock.advance(MINUTE);
      expect((await resend(email)).status).toBe(200);
    }
    t.clock.advance(MINUTE);
    expect((await resend(email)).status).toBe(429);
    expect(await mailCount(email)).toBe(60);
  });

  test('P79e: one network may use a quarter of the mails for unproven addresses; proving an address frees one mail', async () => {
    const few = await testApp({ mail_unproven_max: 8 });
    try {
      const ip = makeIp();
      const [first, second] = [anEmail(), anEmail()];
      for (const one of [first, second]) expect((await register(one, ip, few)).status).toBe(201);
      const { email: proven } = await makePlayer(few, { email_verified_at: few.clock.now() });
      for (const one of [anEmail(), proven])
        expect((await post('resend-verification', { email: one }, ip, few)).status).toBe(503);
      expect((await register(anEmail(), ip, few)).status).toBe(503);
      expect((await register(anEmail(), makeIp(), few)).status).toBe(201);
      const code = await codeFor(few, first);
      expect((await verify(first, code, { app: few, ip })).status).toBe(200);
      expect((await register(anEmail(), ip, few)).status).toBe(201);
    } finally {
      await few.close();
    }
  });

  test('P79e: the site mails a limited number of unproven addresses an hour, then answers 503', async () => {
    const few = await testApp({ mail_unproven_max: 3 });
    try {
      const email = anEmail();
      const { email: proven } = await makePlayer(few, { email_verified_at: few.clock.now() });
      for (const one of [email, anEmail(), anEmail()])
        expect((await register(one, undefined, few)).status).toBe(201);
      const refused = await register(anEmail(), undefined, few);
      expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([
        503,
        expect.toSatisfy((s) => s > 3500 && s <= 3600),
      ]);
      few.clock.advance(MINUTE);
      // Known, unknown and proven addresses get the same answer.
      const answers = [];
      for (const one of [email, anEmail(), proven]) {
        const { status, body } = await post('resend-verification', { email: one }, undefined, few);
        answers.push([status, body]);
      }
      expect(answers[0]).toEqual([503, { detail: expect.any(String) }]);
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      // A link for a proven address is still mailed, one for an unproven address is not.
      for (const one of [email, proven])
        await post('auth/request-password-reset', { email: one }, undefined, few);
      await expect.poll(async () => (await few.mails(proven)).length).toBe(1);
      expect(await few.mails(email)).toHaveLength(1);
      few.clock.advance(HOUR);
      expect((await register(anEmail(), undefined, few)).status).toBe(201);
    } finally {
      await few.close();
    }
  });

  test('one network may ask 20 times an hour, whether a mail is sent or not', async () => {
    const ip = makeIp();
    const answers = await Promise.all(Array.from({ length: 30 }, () => resend(anEmail(), ip)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect((await register(anEmail(), ip)).status).toBe(429);
  });

  test('unknown, verified and waiting addresses get the same response', async () => {
    const known = anEmail();
    await register(known);
    const verified = (await makePlayer(t)).email;
    const unknown = anEmail();
    t.clock.advance(MINUTE);
    const series = async (email: string) => {
      const answers = [];
      for (let n = 0; n < 6; n += 1) {
        const { status, body } = await resend(email);
        answers.push([status, body]);
      }
      return answers;
    };
    const first = await series(known);
    expect(await series(unknown)).toEqual(first);
    expect(await series(verified)).toEqual(first);
    expect(await mailCount(unknown)).toBe(0);
    expect(await mailCount(verified)).toBe(0);
  });

  test('a stranger’s requests for an unknown address do not use up the limits of its later owner', async () => {
    const email = anEmail();
    for (let n = 0; n < 7; n += 1) {
      await resend(email);
      await verify(email, '000000');
      t.clock.advance(MINUTE);
    }
    expect((await register(email)).status).toBe(201);
    expect((await verify(email, await codeFor(t, email))).status).toBe(200);
  });
});
