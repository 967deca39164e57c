import { hash } from '@node-rs/argon2';
import { beforeAll, describe, expect, test } from 'vitest';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { linkFor } from '#testing/app/mails.ts';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { withoutSalt } from '#testing/app/work.ts';
import { serverLogger } from '../log.ts';
import { signIn, WRONG_LOGIN } from './login.ts';
import { hashPassword } from './passwords.ts';

const PASSWORD = 'quiet orange kite';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const t = withApp();
let password_hash: string;
let another_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
  another_hash = await hashPassword('another quiet kite');
});

const login = (email: string, password: string, ip = makeIp(), app = t) =>
  app.call('POST', '/api/users/auth/login/', { body: { email, password }, ip });
const withPassword = () => makePlayer(t, { password_hash });
const statuses = async (calls: Promise<{ status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status);
const count = (all: number[], status: number) => all.filter((one) => one === status).length;

describe('signing in', () => {
  test('P15: a /48 network that fills the hash queue leaves room for a player on another network', async () => {
    const player = await withPassword();
    const crowd = Array.from({ length: 90 }, (_, at) =>
      login(`nobody${at}@example.com`, PASSWORD, `2001:db8:15:${at.toString(16)}::1`),
    );
    await expect.poll(() => Promise.race([...crowd, null])).not.toBeNull();
    expect((await login(player.email, PASSWORD)).status).toBe(200);
    const refused = count(await statuses(crowd), 503);
    expect(refused).toBeGreaterThan(0);
  });

  test('a sign-in returns access, refresh and user, and names the session after the browser', async () => {
    const player = await withPassword();
    const answer = await t.call('POST', '/api/users/auth/login/', {
      body: { email: ` ${player.email.toUpperCase()}`, password: PASSWORD },
      headers: { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile) Firefox/132.0' },
      ip: makeIp(),
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['access', 'refresh', 'user']);
    expect(answer.body.user).toMatchObject({ uuid: player.uuid, profile_setup_complete: true });
    const { body } = await t.call('GET', '/api/users/sessions/', { as: answer.body });
    expect(body.results[0]).toMatchObject({ client: 'Firefox on Android', current: true });
  });

  test('ACC-15, P6: a wrong password and an unknown, passwordless or unverified account get the same 400', async () => {
    const player = await withPassword();
    const passwordless = await makePlayer(t);
    const unproven = await makePlayer(t, { password_hash, email_verified_at: null });
    for (const [email, password] of [
      [player.email, 'another password'],
      [player.email, ''],
      [player.email, 'x'.repeat(10_000)],
      ['nobody@example.com', PASSWORD],
      [passwordless.email, PASSWORD],
      [passwordless.email, ''],
      [unproven.email, PASSWORD],
    ] as const) {
      const answer = await login(email, password);
      expect([answer.status, answer.body]).toEqual([400, { non_field_errors: [WRONG_LOGIN] }]);
    }
  });

  test('P11: a sign-in normalises only the Unicode composition of a password', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword(' Zoë kite ') });
    expect((await login(player.email, ' Zoe\u0308 kite ')).status).toBe(200);
    expect((await login(player.email, 'Zoë kite')).status).toBe(400);
    expect((await login(player.email, ' zoë kite ')).status).toBe(400);
  });

  test('P14: sign-in replaces a hash that has other parameters', async () => {
    const old = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const player = await makePlayer(t, { password_hash: old });
    const stored = async () =>
      (
        await t.db
          .selectFrom('players')
          .select('password_hash')
          .where('id', '=', player.id)
          .executeTakeFirst()
      )?.password_hash;
    await login(player.email, 'another password');
    expect(await stored()).toBe(old);
    expect((await login(player.email, PASSWORD)).status).toBe(200);
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(player.email, PASSWORD)).status).toBe(200);
  });
});

/** Changes committed while a sign-in waits for the player's row. */
const CHANGES: [what: string, change: (trx: TestApp['db'], id: number) => Promise<unknown>][] = [
  [
    'another password',
    (trx, id) =>
      trx
        .updateTable('players')
        .set({ password_hash: another_hash })
        .where('id', '=', id)
        .execute(),
  ],
  ['no account', (trx, id) => trx.deleteFrom('players').where('id', '=', id).execute()],
];

test.each(CHANGES)(
  'a sign-in that finds %s after hashing opens no session',
  async (what, change) => {
    const player = await withPassword();
    const sessions = () =>
      t.db.selectFrom('sessions').select('id').where('player_id', '=', player.id).execute();
    for (let n = 0; n < 20; n += 1) await makeSession(t, player);
    const before = await sessions();
    let answer: ReturnType<typeof login> | undefined;
    await t.db.transaction().execute(async (trx) => {
      await change(trx, player.id);
      answer = login(player.email, PASSWORD);
      await untilBlocked(t);
    });
    expect(await answer).toMatchObject({ status: 400, body: { non_field_errors: [WRONG_LOGIN] } });
    expect(await sessions()).toEqual(what === 'no account' ? [] : before);
  },
);

describe('P16: the throttle', () => {
  test('five failures on one account from one network cause 429 until five minutes are over', async () => {
    const { email } = await withPassword();
    const ip = makeIp();
    for (let n = 0; n < 5; n += 1) expect((await login(email, 'wrong', ip)).status).toBe(400);
    const refused = await login(email, PASSWORD, ip);
    expect([refused.status, Object.keys(refused.body)]).toEqual([429, ['detail', 'work']]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
    t.clock.advance(MINUTE);
    expect((await login((await withPassword()).email, PASSWORD, ip)).status).toBe(200);
    t.clock.advance(4 * MINUTE);
    expect((await login(email, PASSWORD, ip)).status).toBe(200);
  });

  test('of 50 parallel guesses over two processes, five are checked', async () => {
    const { email } = await withPassword();
    const [ip, other] = [makeIp(), await t.sibling()];
    const all = await statuses(
      Array.from({ length: 50 }, (_, n) => login(email, `guess ${n}`, ip, n % 2 ? t : other)),
    );
    expect([count(all, 400), count(all, 429)]).toEqual([5, 45]);
  });

  test('beyond the limit even the right password is refused', async () => {
    const { email } = await withPassword();
    const ip = makeIp();
    for (let n = 0; n < 5; n += 1) await login(email, `guess ${n}`, ip);
    const all = await statuses(Array.from({ length: 20 }, () => login(email, PASSWORD, ip)));
    expect(count(all, 429)).toBe(20);
  });

  test('an account that many networks guess at allows one try a minute', async () => {
    const { email } = await withPassword();
    for (let n = 0; n < 20; n += 1) expect((await login(email, 'wrong')).status).toBe(400);
    const all = await statuses(Array.from({ length: 10 }, () => login(email, 'wrong')));
    expect([count(all, 400), count(all, 429)]).toEqual([1, 9]);
    const refused = await login(email, PASSWORD);
    expect(refused.status).toBe(429);
    t.clock.advance(MINUTE);
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await login(email, 'wrong')).status).toBe(400);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  test('refused tries do not count as failures', async () => {
    const { email } = await withPassword();
    for (let n = 0; n < 20; n += 1) await login(email, 'wrong');
    await login(email, 'wrong');
    const ip = makeIp();
    for (let n = 0; n < 8; n += 1) expect((await login(email, PASSWORD, ip)).status).toBe(429);
    t.clock.advance(MINUTE);
    expect((await login(email, PASSWORD, ip)).status).toBe(200);
  });

  test('P17: counters of addresses without an account expire after a week', async () => {
    const known = await withPassword();
    const lives: number[] = [];
    for (const email of [known.email, 'nobody-here@example.com']) {
      await t.db.deleteFrom('limits').where('key', 'like', 'login-row:%').execute();
      await login(email, 'a wrong kite');
      const { resets_at } = await t.db
        .selectFrom('limits')
        .select('resets_at')
        .where('key', 'like', 'login-row:%')
        .executeTakeFirstOrThrow();
      lives.push(Math.round((resets_at.getTime() - t.clock.now().getTime()) / (24 * 3_600_000)));
    }
    expect(lives).toEqual([365, 7]);
  });

  test('100 failures in a row pause password sign-in; a reset link ends the pause', async () => {
    const player = await withPassword();
    const { email } = player;
    const live = await makeSession(t, player);
    let failures = 0;
    while (failures < 100) {
      const { status } = await login(email, 'wrong');
      if (status === 400) failures += 1;
      else t.clock.advance(MINUTE);
    }
    t.clock.advance(24 * HOUR);
    const paused = await login(email, PASSWORD);
    expect(paused.status).toBe(429);
    expect(paused.body.detail).toContain('Forgot your password?');
    expect(Number(paused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const refreshed = await t.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh: live.refresh },
    });
    expect(refreshed.status).toBe(200);

    await t.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email },
      ip: makeIp(),
    });
    await expect.poll(async () => (await t.mails(email)).length).toBe(1);
    const reset = await t.call('POST', '/api/users/auth/reset-password/', {
      body: { ...(await linkFor(t, email)), password: 'another quiet kite' },
    });
    expect(reset.status).toBe(200);
    expect((await login(email, 'another quiet kite')).status).toBe(200);
  });

  test('P79a: successful sign-ins do not count against the limit of their network', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, withPassword));
    const ip = makeIp();
    for (let n = 0; n < 40; n += 1)
      expect((await login(players[n % 4]?.email ?? '', PASSWORD, ip)).status).toBe(200);
  });

  test('one network can sign in to an account 30 times a minute', async () => {
    const [{ email }, another] = [await withPassword(), await withPassword()];
    const ip = makeIp();
    for (let n = 0; n < 30; n += 1) expect((await login(email, PASSWORD, ip)).status).toBe(200);
    expect((await login(email, PASSWORD, ip)).status).toBe(429);
    expect((await login(another.email, PASSWORD, ip)).status).toBe(200);
    t.clock.advance(MINUTE);
    expect((await login(email, PASSWORD, ip)).status).toBe(200);
  });

  test('one network may fail ten times a minute over all accounts', async () => {
    const ip = makeIp();
    // Sign in one after the other: on a slow computer, parallel hashes would fill the queue (P15).
    for (let n = 0; n < 10; n += 1)
      expect((await login(`stuffing${n}@example.com`, PASSWORD, ip)).status).toBe(400);
    const more = Array.from({ length: 10 }, (_, n) => login(`more${n}@example.com`, PASSWORD, ip));
    expect(count(await statuses(more), 429)).toBe(10);
    const { email } = await withPassword();
    for (let n = 0; n < 6; n += 1) expect((await login(email, PASSWORD, ip)).status).toBe(429);
    t.clock.advance(MINUTE);
    // Tries that the network's limit refused do not count for the account.
    expect((await login(email, PASSWORD, ip)).status).toBe(200);
  });

  test('a success does not clear the failures of its network', async () => {
    const ip = makeIp();
    const player = await withPassword();
    for (let n = 0; n < 9; n += 1)
      expect((await login(`place${n}@example.com`, PASSWORD, ip)).status).toBe(400);
    expect((await login(player.email, PASSWORD, ip)).status).toBe(200);
    expect((await login('place9@example.com', PASSWORD, ip)).status).toBe(400);
    expect((await login('place10@example.com', PASSWORD, ip)).status).toBe(429);
  });

  test('all addresses of an IPv6 /64 count as one network', async () => {
    const { email } = await withPassword();
    for (let n = 1; n <= 5; n += 1) await login(email, 'wrong', `2001:db8:7:7::${n}`);
    expect((await login(email, PASSWORD, '2001:db8:7:7:ffff::1')).status).toBe(429);
    expect((await login(email, PASSWORD, '2001:db8:7:8::1')).status).toBe(200);
  });

  test('addresses without an account are throttled like those with one', async () => {
    const known = (await withPassword()).email;
    const series = async (email: string) => {
      const ip = makeIp();
      const answers = [];
      for (let n = 0; n < 7; n += 1) {
        const { status, body } = await login(email, 'wrong', ip);
        answers.push([status, withoutSalt(body)]);
      }
      return answers;
    };
    expect(await series('nobody-here@example.com')).toEqual(await series(known));
  });

  test('a success clears the counters of that account only', async () => {
    const [mine, theirs] = [await withPassword(), await withPassword()];
    const ip = makeIp();
    for (let n = 0; n < 4; n += 1) await login(mine.email, 'wrong', ip);
    for (let n = 0; n < 4; n += 1) await login(theirs.email, 'wrong', ip);
    expect((await login(mine.email, PASSWORD, ip)).status).toBe(200);
    expect((await login(theirs.email, 'wrong', ip)).status).toBe(400);
    expect((await login(theirs.email, PASSWORD, ip)).status).toBe(429);
    t.clock.advance(MINUTE);
    for (let n = 0; n < 5; n += 1) expect((await login(mine.email, 'wrong', ip)).status).toBe(400);
  });
});

test('P42: the log of a sign-in has no password and no full address', async () => {
  const lines: string[] = [];
  const log = serverLogger('info', { write: (line) => void lines.push(line) });
  const player = await withPassword();
  const caller = {
    ip: makeIp(),
    client: 'Test',
    call: 'POST',
    work: undefined,
    devices: undefined,
    log,
  };
  await signIn(t, caller, player.email, PASSWORD);
  await signIn(t, caller, player.email, 'another password').catch(() => undefined);
  expect(lines).toHaveLength(2);
  expect(lines.join()).toContain(`"player":${player.id}`);
  expect(lines.join()).not.toMatch(/quiet|another password|player\d+@/);
});
