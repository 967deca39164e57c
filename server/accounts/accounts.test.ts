import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeFor } from '../testing/mails.ts';
import {
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '../testing/make.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { cleanUp, replayTombstones } from './accounts.ts';
import { hashPassword } from './passwords.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let people = 0;
const anEmail = () => `person${++people}@example.com`;

const post = (path: string, body: unknown, ip = makeIp(), app = t) =>
  app.call('POST', `/api/users/${path}/`, { body, ip });
const checkEmail = (email: string, ip?: string) => post('auth/check-email', { email }, ip);
const register = (email: string, ip?: string) => post('auth/register', { email }, ip);
const verify = (email: string, code: string, app = t) =>
  post('verify-email', { email, code }, undefined, app);
const accountOf = (email: string) =>
  t.db.selectFrom('players').selectAll().where('email', '=', email).executeTakeFirst();
const mailCount = async (email: string) => (await t.mails(email)).length;
describe('check-email', () => {
  test('P19: tells the four facts that the login screen needs, and no more', async () => {
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

  test('P19: 30 a minute and 300 an hour from one place', async () => {
    const ip = makeIp();
    const burst = await Promise.all(Array.from({ length: 40 }, () => checkEmail(anEmail(), ip)));
    expect(burst.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = burst.find(({ status }) => status === 429);
    expect(Object.keys(refused?.body)).toEqual(['detail']);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    let passed = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      t.clock.advance(MINUTE);
      const wave = await Promise.all(Array.from({ length: 30 }, () => checkEmail(anEmail(), ip)));
      passed += wave.filter(({ status }) => status === 200).length;
    }
    expect(30 + passed).toBe(300);
  });

  test('P19: 30 an hour for one address, 50 a second in all', async () => {
    t.clock.advance(1000);
    const email = anEmail();
    const one = await Promise.all(Array.from({ length: 40 }, () => checkEmail(email)));
    expect(one.filter(({ status }) => status === 200)).toHaveLength(30);
    t.clock.advance(HOUR);
    const all = await Promise.all(Array.from({ length: 60 }, () => checkEmail(anEmail())));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(50);
    t.clock.advance(1000);
  });
});

describe('P26: addresses', () => {
  test('in any case and with blanks around them are the same account', async () => {
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
    ['nothing', ''],
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
  ])('%s is refused by every call, and nothing is stored', async (_, email) => {
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

describe('P28: the nightly clean-up', () => {
  const left = (players: { id: number }[]) =>
    t.db
      .selectFrom('players')
      .select('id')
      .where(
        'id',
        'in',
        players.map(({ id }) => id),
      )
      .execute();

  test('deletes unproven accounts after 7 days and unfinished ones after 30, no others', async () => {
    const now = t.clock.now().getTime();
    const ago = (days: number) => new Date(now - days * DAY - MINUTE);
    const password_hash = await hashPassword('quiet orange kite');
    const unproven = { email_verified_at: null, username: null, date_of_birth: null };
    const make = async (days: number, columns: Parameters<typeof makePlayer>[1] = {}) => {
      const at = ago(days);
      return makePlayer(t, { created_at: at, email_verified_at: at, ...columns });
    };
    const almost = (days: number) => new Date(now - days * DAY + MINUTE);
    const kept = [
      await make(0, { ...unproven, created_at: almost(7) }),
      await make(0, { username: null, created_at: ago(400), email_verified_at: almost(30) }),
      await make(400, { password_hash }),
    ];
    const [google, played, onTeam] = [await make(400), await make(400), await make(400)];
    await t.db
      .insertInto('identities')
      .values({ issuer: 'g', subject: '1', player_id: google.id, created_at: ago(400) })
      .execute();
    await makeGames(t, await makeMachine(t), played, [{}]);
    await makeTeam(t, await makeLeague(t), [onTeam]);
    // Google was unlinked by the move to this address; "Forgot your password?" leads in again.
    const moved = await make(400, { email_verified_at: ago(1) });
    const gone = [
      await make(7, unproven),
      await make(30, { username: null }),
      await make(30, { password_hash, date_of_birth: null }),
      await make(30),
    ];
    const { players } = await cleanUp(t);
    expect(players).toBeGreaterThanOrEqual(4);
    expect(await left(gone)).toEqual([]);
    const stayed = [...kept, google, played, onTeam, moved];
    expect((await left(stayed)).length).toBe(stayed.length);
  });

  test('deletes sessions, codes and limits that are over, and what is live stays', async () => {
    const player = await makePlayer(t);
    await makeSession(t, player);
    await makeSession(t, player);
    const email = anEmail();
    await register(email);
    t.clock.advance(14 * DAY);
    const live = await makeSession(t, player);
    expect(await cleanUp(t)).toMatchObject({ codes: expect.any(Number) });
    const over = await t.db
      .selectFrom('limits')
      .select('key')
      .where('resets_at', '<=', t.clock.now())
      .execute();
    expect(
      await t.db.selectFrom('sessions').select('id').where('player_id', '=', player.id).execute(),
    ).toHaveLength(1);
    expect(await t.db.selectFrom('codes').select('player_id').execute()).toEqual([]);
    expect(over).toEqual([]);
    expect((await t.call('GET', '/api/users/profile/', { as: live })).status).toBe(200);
    expect(await cleanUp(t)).toEqual({ players: 0, sessions: 0, codes: 0, limits: 0 });
  });

  test('more rows than fit one statement all go', async () => {
    const resets_at = new Date(t.clock.now().getTime() - 1);
    await sql`insert into limits (key, points, resets_at)
      select 'old:' || n, 1, ${resets_at} from generate_series(1, 25000) as n`.execute(t.db);
    expect((await cleanUp(t)).limits).toBe(25_000);
  });
});

describe('P30e: deleting an account', () => {
  const PASSWORD = 'quiet orange kite';
  const remove = (access: string, body?: unknown) =>
    t.call('DELETE', '/api/users/profile/', { as: { access }, body, ip: makeIp() });

  test('takes the password, and leaves nothing of the person', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
    const { access, refresh } = await makeSession(t, player);
    await post('auth/request-password-reset', { email: player.email });
    t.clock.advance(6 * MINUTE);
    const wrongOne = await remove(access, { password: 'not my password' });
    expect([wrongOne.status, Object.keys(wrongOne.body)]).toEqual([400, ['password']]);
    const without = await remove(access);
    expect([without.status, Object.keys(without.body)]).toEqual([403, ['detail']]);
    expect((await remove(access, { password: '' })).status).toBe(403);

    expect((await remove(access, { password: PASSWORD })).status).toBe(204);
    expect((await t.call('GET', '/api/users/profile/', { as: { access } })).status).toBe(401);
    expect((await post('auth/token/refresh', { refresh })).status).toBe(401);
    expect((await post('auth/login', { email: player.email, password: PASSWORD })).status).toBe(
      400,
    );
    expect((await checkEmail(player.email)).body.exists).toBe(false);
    for (const table of ['sessions', 'codes', 'identities', 'player_stats'] as const)
      expect(
        await t.db
          .selectFrom(table)
          .select('player_id')
          .where('player_id', '=', player.id)
          .execute(),
      ).toEqual([]);
    expect(await t.mails(player.email)).toEqual([]);
    // The address is free for a new account.
    expect((await register(player.email)).status).toBe(201);
  });

  test('without a password takes a sign-in of the last five minutes', async () => {
    const player = await makePlayer(t);
    const old = await makeSession(t, player);
    t.clock.advance(5 * MINUTE + 1000);
    expect((await remove(old.access)).status).toBe(403);
    const fresh = await makeSession(t, player);
    expect((await remove(fresh.access)).status).toBe(204);
  });

  test('guessing the password here counts as guessing at sign-in (P16)', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
    const as = await makeSession(t, player);
    const ip = makeIp();
    const guess = (password: string) =>
      t.call('DELETE', '/api/users/profile/', { as, body: { password }, ip });
    for (let n = 0; n < 5; n += 1) expect((await guess(`guess ${n}`)).status).toBe(400);
    expect((await guess(PASSWORD)).status).toBe(429);
    expect((await post('auth/login', { email: player.email, password: PASSWORD }, ip)).status).toBe(
      429,
    );
  });

  test('keeps the games without a person, so that team sums hold', async () => {
    const player = await makePlayer(t);
    await makeGames(t, await makeMachine(t), player, [{ score: 77 }]);
    const { access } = await makeSession(t, player);
    expect((await remove(access)).status).toBe(204);
    const games = await t.db
      .selectFrom('games')
      .select('score')
      .where('player_id', '=', player.id)
      .execute();
    expect(games).toEqual([{ score: 77 }]);
  });

  test('the tombstone deletes the account again after a restore, and nobody else', async () => {
    const player = await makePlayer(t);
    const { access } = await makeSession(t, player);
    expect((await remove(access)).status).toBe(204);
    const stones = await t.db.selectFrom('tombstones').selectAll().execute();
    expect(JSON.stringify(stones)).not.toContain(player.email);
    // The same person comes back before the restore, and is somebody new.
    const back = await makePlayer(t, { email: 'back@example.com' });
    await sql`insert into players (id, uuid, email, created_at) overriding system value
      values (${player.id}, ${player.uuid}, ${player.email}, ${player.created_at})`.execute(t.db);
    expect(await replayTombstones(t.db)).toBe(1);
    expect(await accountOf(player.email)).toBeUndefined();
    expect(await accountOf(back.email)).toBeDefined();
    expect(await replayTombstones(t.db)).toBe(0);
  });
});
