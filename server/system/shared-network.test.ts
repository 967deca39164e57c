import { beforeAll, describe, expect, test } from 'vitest';
import type { Work } from '#contract/rules/work.ts';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import { makeIp, makeMachine, makePlayer } from '#testing/app/make.ts';
import { type Answer, type CallOptions, withApp } from '#testing/app/test-app.ts';
import { solved } from '#testing/app/work.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { charge, limitOf, networkLimits } from '../http/limits.ts';
import { WORK_BITS_DEFAULT } from '../rate-limits.ts';

/*
 * Who can use up whose limit (P79a to P79g): players and an attacker behind one address, or apart.
 */

const PASSWORD = 'quiet orange kite';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** What a slow phone computes in a second, and the longest wait of a sign-up (P79f). */
const SLOW_PHONE_HASHES = 2 ** WORK_BITS_DEFAULT / 2;
const WAIT_MAX_S = 15;

const t = withApp();
let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
});

let people = 0;
const anEmail = () => `guest${++people}@example.com`;
const post = (path: string, body: unknown, options: CallOptions = {}) =>
  t.call('POST', `/api/users/${path}/`, { body, ...options });

/** Calls like our page: does the work that it is asked for, and adds it to `asked`. */
async function patiently(path: string, body: unknown, ip: string, asked: Work[]): Promise<Answer> {
  const first = await post(path, body, { ip });
  if (first.body.work === undefined) return first;
  asked.push(first.body.work);
  return post(path, body, { ip, headers: solved(first.body.work) });
}

/** How many seconds all the work takes a slow phone on average, with the default number of bits. */
const seconds = (asked: Work[]) =>
  asked
    .map(({ bits }) => 2 ** (bits - t.config.work_bits + WORK_BITS_DEFAULT) / SLOW_PHONE_HASHES)
    .reduce((a, b) => a + b, 0);

/** Signs up like our page. Returns the statuses, and the wait for work in seconds. */
async function signUp(ip: string): Promise<{ statuses: number[]; wait_s: number }> {
  const email = anEmail();
  const asked: Work[] = [];
  const checked = await patiently('auth/check-email', { email }, ip, asked);
  const registered = await patiently('auth/register', { email }, ip, asked);
  const code = await codeFor(t, email).catch(() => '000000');
  const verified = await patiently('verify-email', { email, code }, ip, asked);
  return {
    statuses: [checked, registered, verified].map(({ status }) => status),
    wait_s: seconds(asked),
  };
}
const IN = [200, 201, 200];
/** Links are mailed after the answer. */
const untilIdle = () => expect.poll(() => t.pool.idleCount === t.pool.totalCount).toBe(true);

/**
 * Makes failing calls on every route until each refuses. With `works`, also does the work that pays
 * for more calls.
 */
async function burn(ip: string, works: boolean): Promise<void> {
  const routes: [string, (email: string) => unknown][] = [
    ['auth/check-email', (email) => ({ email })],
    ['auth/register', (email) => ({ email })],
    ['resend-verification', (email) => ({ email })],
    ['verify-email', (email) => ({ email, code: '000000' })],
    ['auth/login', (email) => ({ email, password: 'wrong' })],
    ['auth/request-password-reset', (email) => ({ email })],
  ];
  for (const [path, bodyOf] of routes) {
    let refused = 0;
    for (let n = 0; refused < 3 && n < 400; n += 1)
      if ((await post(path, bodyOf(anEmail()), { ip })).status === 429) refused += 1;
    expect([path, refused]).toEqual([path, 3]);
    for (let n = 0; works && n < 5; n += 1) {
      // As if the attacker had paid for many more calls.
      await t.db
        .updateTable('limits')
        .set((eb) => ({ points: eb('points', '*', 2) }))
        .where('key', 'like', 'code-ip:%')
        .where('points', '<', 100_000)
        .execute();
      await patiently(path, bodyOf(anEmail()), ip, []);
    }
  }
}

describe('P79f: a party of sixty', () => {
  test('P79a: signs up at a venue within twenty minutes, from one address and without proofs of work', async () => {
    const ip = makeIp();
    const { key } = await makeMachine(t);
    await t.call('GET', '/api/machine/', { as: { key }, ip });
    for (let n = 0; n < 60; n += 1) {
      expect(await signUp(ip)).toEqual({ statuses: IN, wait_s: 0 });
      t.clock.advance(20_000);
    }
  });

  test('signs up while a guest keeps failing, each after at most 15 s of work', async () => {
    const ip = makeIp();
    const { key } = await makeMachine(t);
    await t.call('GET', '/api/machine/', { as: { key }, ip });
    let longest = 0;
    for (let n = 0; n < 60; n += 1) {
      if (n % 30 === 0) await burn(ip, n > 0);
      const { statuses, wait_s } = await signUp(ip);
      expect([n, statuses]).toEqual([n, IN]);
      longest = Math.max(longest, wait_s);
      t.clock.advance(20_000);
    }
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(WAIT_MAX_S);
  }, 600_000);

  test('signs in while a guest keeps failing to sign in', async () => {
    const ip = makeIp();
    const { email } = await makePlayer(t, { password_hash });
    await burn(ip, true);
    const asked: Work[] = [];
    const checked = await patiently('auth/check-email', { email }, ip, asked);
    const signedIn = await patiently('auth/login', { email, password: PASSWORD }, ip, asked);
    expect([checked.status, signedIn.status]).toEqual([200, 200]);
    expect(seconds(asked)).toBeLessThanOrEqual(WAIT_MAX_S);
  });
});

describe('P79d: nobody can use up what the owner of an account needs', () => {
  /** From one address: 100 wrong passwords, and requests for links until none is mailed. */
  async function lockOut(email: string, ip: string): Promise<void> {
    for (let failures = 0; failures < 100; ) {
      const { status } = await post('auth/login', { email, password: 'wrong' }, { ip });
      if (status === 400) failures += 1;
      else t.clock.advance(MINUTE);
    }
    for (let n = 0; n < 20; n += 1) {
      await post('auth/request-password-reset', { email }, { ip });
      await untilIdle();
      t.clock.advance(13 * MINUTE);
    }
  }
  /** Pauses the account without hashing 100 wrong passwords. */
  async function pause(email: string): Promise<void> {
    for (let n = 0; n < 100; n += 1) await charge(t, [limitOf('login-row', email)]);
  }
  const deviceIn = (answer: Answer) =>
    [answer.headers['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0] ?? '')[0] ??
    '';

  test('100 wrong passwords and 20 requests a day from one address keep nobody out', async () => {
    const { email } = await makePlayer(t, { password_hash });
    await lockOut(email, makeIp());
    const ip = makeIp();
    const paused = await post('auth/login', { email, password: PASSWORD }, { ip });
    expect(paused.body.detail).toContain('Forgot your password?');
    const before = (await t.mails(email)).length;
    await post('auth/request-password-reset', { email }, { ip });
    await expect.poll(async () => (await t.mails(email)).length).toBe(before + 1);
    const link = await linkFor(t, email);
    // During the pause, a link is valid for a day.
    t.clock.advance(23 * HOUR);
    const reset = await post(
      'auth/reset-password',
      { ...link, password: 'another quiet kite' },
      { ip },
    );
    expect(reset.status).toBe(200);
  });

  test('after 60 requests from all networks the newest link still works', async () => {
    const { email } = await makePlayer(t, { password_hash });
    await pause(email);
    for (let n = 0; n < 60; n += 1) {
      await post('auth/request-password-reset', { email }, { ip: makeIp() });
      await untilIdle();
      t.clock.advance(2 * MINUTE);
    }
    const before = (await t.mails(email)).length;
    await post('auth/request-password-reset', { email }, { ip: makeIp() });
    await untilIdle();
    expect((await t.mails(email)).length).toBe(before);
    t.clock.advance(20 * HOUR);
    const link = await linkFor(t, email);
    const body = { ...link, password: 'another quiet kite' };
    expect((await post('auth/reset-password', body, { ip: makeIp() })).status).toBe(200);
  });

  test('a link for an account that is not paused is valid for only an hour', async () => {
    const { email } = await makePlayer(t, { password_hash });
    await post('auth/request-password-reset', { email }, { ip: makeIp() });
    await expect.poll(async () => (await t.mails(email)).length).toBe(1);
    t.clock.advance(HOUR);
    const body = { ...(await linkFor(t, email)), password: 'another quiet kite' };
    expect((await post('auth/reset-password', body, { ip: makeIp() })).status).toBe(400);
  });

  test('a browser that has signed in before is let through the pause, with five tries in five minutes', async () => {
    const { email } = await makePlayer(t, { password_hash });
    const signedIn = await post('auth/login', { email, password: PASSWORD }, { ip: makeIp() });
    const [cookie] = [signedIn.headers['set-cookie']].flat();
    expect(cookie).toMatch(
      /^devices=[\w.-]+; Path=\/api\/users\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
    );
    const device = { cookie: deviceIn(signedIn) };
    await pause(email);
    const login = (password: string, headers: Record<string, string>, address = email) =>
      post('auth/login', { email: address, password }, { ip: makeIp(), headers });
    expect((await login(PASSWORD, {})).status).toBe(429);
    expect((await login(PASSWORD, device)).status).toBe(200);
    // For everybody else, the pause goes on.
    expect((await login(PASSWORD, {})).status).toBe(429);
    for (let n = 0; n < 5; n += 1) expect((await login('wrong', device)).status).toBe(400);
    expect((await login(PASSWORD, device)).status).toBe(429);
    t.clock.advance(5 * MINUTE);
    expect((await login(PASSWORD, device)).status).toBe(200);
    // The browser's token does not work for another account, forged, or after 180 days.
    const other = await makePlayer(t, { password_hash });
    await pause(other.email);
    expect((await login(PASSWORD, device, other.email)).status).toBe(429);
    const forged = device.cookie.replace(/.(?=.{10}$)/, (one) => (one === 'A' ? 'B' : 'A'));
    expect((await login(PASSWORD, { cookie: forged })).status).toBe(429);
    t.clock.advance(180 * 24 * HOUR);
    expect((await login(PASSWORD, device)).status).toBe(429);
  });

  test('a device that fails 100 times in a row counts as a stranger', async () => {
    const { email } = await makePlayer(t, { password_hash });
    const signedIn = await post('auth/login', { email, password: PASSWORD }, { ip: makeIp() });
    const device = { cookie: deviceIn(signedIn) };
    await pause(email);
    const login = (password: string) =>
      post('auth/login', { email, password }, { ip: makeIp(), headers: device });
    for (let failures = 0; failures < 100; ) {
      const { status } = await login('wrong');
      if (status === 400) failures += 1;
      else t.clock.advance(5 * MINUTE);
    }
    t.clock.advance(5 * MINUTE);
    const refused = await login(PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toContain('Forgot your password?');
    // On a full network, one proof of work lets it through as it does any stranger.
    const ip = makeIp();
    for (let n = 0; n < 20; n += 1) await charge(t, networkLimits(ip, 'login-ip'));
    const full = await post('auth/login', { email, password: PASSWORD }, { ip, headers: device });
    const headers = { ...device, ...solved(full.body.work) };
    const proven = await post('auth/login', { email, password: PASSWORD }, { ip, headers });
    expect(proven.body.detail).toContain('Forgot your password?');
  });

  test('a browser used for two accounts keeps a token for each', async () => {
    const [one, other] = [
      await makePlayer(t, { password_hash }),
      await makePlayer(t, { password_hash }),
    ];
    const first = await post(
      'auth/login',
      { email: one.email, password: PASSWORD },
      { ip: makeIp() },
    );
    const second = await post(
      'auth/login',
      { email: other.email, password: PASSWORD },
      { ip: makeIp(), headers: { cookie: deviceIn(first) } },
    );
    const headers = { cookie: deviceIn(second) };
    for (const { email } of [one, other]) {
      await pause(email);
      const login = await post(
        'auth/login',
        { email, password: PASSWORD },
        { ip: makeIp(), headers },
      );
      expect(login.status).toBe(200);
    }
  });
});

test('P79b: a guest who fails at one account uses up little of the network’s limit', async () => {
  const ip = makeIp();
  const [mine, theirs] = [await makePlayer(t, { password_hash }), anEmail()];
  for (let n = 0; n < 50; n += 1)
    await post('auth/login', { email: theirs, password: 'wrong' }, { ip });
  expect((await post('auth/login', { email: mine.email, password: PASSWORD }, { ip })).status).toBe(
    200,
  );
});
