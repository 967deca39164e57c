import { describe, expect, test } from 'vitest';
import { codeFor } from '#testing/app/mails.ts';
import { makeIp, makePlayer } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { hashPassword } from './passwords.ts';

const t = withApp();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let people = 0;
const anEmail = () => `person${++people}@example.com`;

const post = (path: string, body: unknown, ip = makeIp()) =>
  t.call('POST', `/api/users/${path}/`, { body, ip });
const checkEmail = (email: string, ip?: string) => post('auth/check-email', { email }, ip);
const register = (email: string, ip?: string) => post('auth/register', { email }, ip);
const verify = (email: string, code: string) => post('verify-email', { email, code });
const mailCount = async (email: string) => (await t.mails(email)).length;

describe('check-email', () => {
  test('P19: the answer has the four facts that the login page needs, and no more', async () => {
    const email = anEmail();
    const facts = async () => (await checkEmail(email)).body;
    const none = {
      exists: false,
      verified: false,
      has_set_password: false,
      profile_setup_complete: false,
    };
    expect(await facts()).toEqual(none);
    await register(email);
    expect(await facts()).toEqual({ ...none, exists: true });
    await verify(email, await codeFor(t, email));
    expect(await facts()).toEqual({ ...none, exists: true, verified: true });
    const full = await makePlayer(t, { password_hash: await hashPassword('quiet orange kite') });
    expect((await checkEmail(full.email.toUpperCase())).body).toEqual({
      exists: true,
      verified: true,
      has_set_password: true,
      profile_setup_complete: true,
    });
  });

  test('P19: one network may ask 30 times a minute, 300 an hour and 1,000 a day', async () => {
    const ip = makeIp();
    const burst = await Promise.all(Array.from({ length: 40 }, () => checkEmail(anEmail(), ip)));
    expect(burst.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = burst.find(({ status }) => status === 429);
    expect(Object.keys(refused?.body)).toEqual(['detail', 'work']);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    let passed = 30;
    const ask = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        t.clock.advance(MINUTE);
        const wave = await Promise.all(Array.from({ length: 30 }, () => checkEmail(anEmail(), ip)));
        passed += wave.filter(({ status }) => status === 200).length;
      }
    };
    await ask(10);
    expect(passed).toBe(300);
    for (const hourly of [600, 900, 1000]) {
      t.clock.advance(HOUR);
      await ask(11);
      expect(passed).toBe(hourly);
    }
  });

  test('P19: a stranger on one network cannot use up the limit of an address’s owner', async () => {
    t.clock.advance(1000);
    const email = anEmail();
    const stranger = makeIp();
    for (let minute = 0; minute < 2; minute += 1) {
      t.clock.advance(MINUTE);
      await Promise.all(Array.from({ length: 20 }, () => checkEmail(email, stranger)));
    }
    t.clock.advance(MINUTE);
    expect((await checkEmail(email, stranger)).status).toBe(429);
    expect((await checkEmail(anEmail(), stranger)).status).toBe(200);
    expect((await checkEmail(email)).status).toBe(200);
  });

  test('P19: all networks together may ask 300 times an hour about one address', async () => {
    t.clock.advance(HOUR);
    const email = anEmail();
    let passed = 0;
    for (let second = 0; second < 8; second += 1) {
      t.clock.advance(1000);
      const wave = await Promise.all(Array.from({ length: 40 }, () => checkEmail(email)));
      passed += wave.filter(({ status }) => status === 200).length;
    }
    expect(passed).toBe(300);
  });

  test('P19: above 50 calls a second the site refuses only networks that called within the last minute', async () => {
    t.clock.advance(HOUR);
    const networks = Array.from({ length: 25 }, () => makeIp());
    const ask = (ips: string[]) => Promise.all(ips.map((ip) => checkEmail(anEmail(), ip)));
    const refused = (answers: { status: number }[]) =>
      answers.filter(({ status }) => status === 429).length;
    // Two calls from each of 25 networks use up the site's limit of 50 calls a second.
    expect(refused(await ask([...networks, ...networks]))).toBe(0);
    expect(refused(await ask(networks))).toBe(25);
    expect(refused(await ask(Array.from({ length: 10 }, () => makeIp())))).toBe(0);
    t.clock.advance(1000);
    expect(refused(await ask(networks))).toBe(0);
  });
});

describe('P26: addresses', () => {
  test('upper case and surrounding spaces make no difference', async () => {
    const email = anEmail();
    await register(` ${email.toUpperCase()} `);
    expect((await checkEmail(`\t${email}`)).body.exists).toBe(true);
    expect(await mailCount(email)).toBe(1);
  });

  test.each([
    ['not text', 17],
    ['null', null],
    ['a list', ['a@example.com']],
    ['an object', { address: 'a@example.com' }],
    ['an empty string', ''],
    ['no @', 'example.com'],
    ['two @', 'a@b@example.com'],
    ['two addresses', 'a@example.com, b@example.com'],
    ['a quoted local part', '"a b"@example.com'],
    ['a comment', 'a(b)@example.com'],
    ['a display name', 'A <a@example.com>'],
    ['a line break', 'a@example.com\r\nBcc: b@example.com'],
    ['a NUL', 'a\0@example.com'],
    ['a foreign letter', 'ä@example.com'],
    ['a Kelvin sign, which lower-cases to k', 'miKe@example.com'.replace('K', '\u212A')],
    ['a dotless i', 'm\u0131ke@example.com'],
    ['a foreign domain', 'a@exämple.com'],
    ['an address literal', 'a@[192.0.2.1]'],
    ['no dot in the domain', 'a@localhost'],
    [
      '255 characters',
      `${'a'.repeat(61)}@${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(61)}.example`,
    ],
    ['very many characters', `${'a'.repeat(9000)}@example.com`],
  ])('every call refuses %s and stores nothing', async (_, email) => {
    const before = await t.db
      .selectFrom('players')
      .select((eb) => eb.fn.countAll().as('n'))
      .execute();
    for (const path of [
      'auth/check-email',
      'auth/register',
      'resend-verification',
      'auth/request-password-reset',
    ]) {
      const answer = await post(path, { email });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body).toEqual({ email: [expect.any(String)] });
    }
    const login = await post('auth/login', { email, password: 'quiet orange kite' });
    expect([login.status, Object.keys(login.body)]).toEqual([400, ['email']]);
    expect(
      await t.db
        .selectFrom('players')
        .select((eb) => eb.fn.countAll().as('n'))
        .execute(),
    ).toEqual(before);
  });
});
