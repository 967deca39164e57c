import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { USERNAME_INAPPROPRIATE } from '#contract/rules/username.ts';
import { untilBlocked } from '#testing/app/lock-waits.ts';
import { linkFor } from '#testing/app/mails.ts';
import {
  goToMidweek,
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { readCode, setJoining } from '../leagues/joining.ts';
import { SIGN_IN_AGAIN } from './export.ts';
import { BIRTHDATE_FIXED, EMAIL_FIXED, replaceBirthdate } from './profile.ts';

const PASSWORD = 'quiet orange kite';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FRESH = { username: null, date_of_birth: null };

const t = withApp();
let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
});

async function signedIn(columns: Parameters<typeof makePlayer>[1] = {}) {
  const player = await makePlayer(t, columns);
  const as = await makeSession(t, player);
  const patch = (body: unknown) => t.call('PATCH', '/api/users/profile/', { as, body });
  const read = () => t.call('GET', '/api/users/profile/', { as });
  const row = () =>
    t.db.selectFrom('players').selectAll().where('id', '=', player.id).executeTakeFirstOrThrow();
  return { player, as, patch, read, row };
}
const linkGoogle = (player: { id: number }) =>
  t.db
    .insertInto('identities')
    .values({
      issuer: 'https://accounts.google.com',
      subject: String(player.id),
      player_id: player.id,
      created_at: t.clock.now(),
    })
    .execute();

describe('API-10: the user of every response', () => {
  test('the user has exactly these fields', async () => {
    const { player, read } = await signedIn({ password_hash });
    expect((await read()).body).toEqual({
      uuid: player.uuid,
      email: player.email,
      username: player.username,
      profile_setup_complete: true,
      has_set_password: true,
      sign_in_methods: ['password'],
      date_of_birth: '2000-01-31',
      avatar_color: '#377AD3',
      jersey_number: '00',
      league_mode_enabled: false,
      team: null,
      visibility: 'players',
      visibility_max: 'venue',
      visibility_question: false,
      user_stat: { games_played: 0, highscore: 0, avg_score: 0 },
    });
  });

  test('the user has the team and the figures', async () => {
    const { player, read } = await signedIn();
    const league = await t.db
      .insertInto('leagues')
      .values({
        name: 'Monday Night',
        timezone: 'Europe/Berlin',
        starts_on: '2026-01-05',
        created_at: t.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const team = await t.db
      .insertInto('teams')
      .values({ league_id: league.id, name: 'Rim Rattlers', created_at: t.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await t.db
      .updateTable('players')
      .set({ team_id: team.id })
      .where('id', '=', player.id)
      .execute();
    await makeGames(t, await makeMachine(t), player, [
      { score: 100 },
      { score: 101 },
      { score: 101 },
    ]);
    expect((await read()).body).toMatchObject({
      team: { name: 'Rim Rattlers' },
      user_stat: { games_played: 3, highscore: 101, avg_score: 100.7 },
    });
  });

  test('the user’s sign-in methods are derived from the columns', async () => {
    const none = await signedIn();
    expect((await none.read()).body).toMatchObject({
      has_set_password: false,
      sign_in_methods: [],
      profile_setup_complete: false,
    });
    await linkGoogle(none.player);
    expect((await none.read()).body).toMatchObject({
      has_set_password: false,
      sign_in_methods: ['google'],
      profile_setup_complete: true,
    });
    const both = await signedIn({ password_hash });
    await linkGoogle(both.player);
    expect((await both.read()).body.sign_in_methods).toEqual(['password', 'google']);
  });
});

describe('P30a: what a patch may change', () => {
  test('API-11: a patch changes only the listed fields; flags and everything else are ignored', async () => {
    const { player, patch, row } = await signedIn(FRESH);
    const before = await row();
    const answer = await patch({
      has_set_password: true,
      uuid: '00000000-0000-4000-8000-000000000000',
      id: 1,
      team_id: 1,
      team: { name: 'Mine' },
      user_stat: { games_played: 99, highscore: 9999, avg_score: 9999 },
      email_verified_at: null,
      password_hash: '$argon2id$planted',
      sign_in_methods: ['google'],
      birthdate_refused_until: null,
      created_at: '2000-01-01',
      email: ` ${player.email.toUpperCase()} `,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ has_set_password: false, profile_setup_complete: false });
    expect(await row()).toEqual(before);
  });

  test('P30b: a patch never changes the address', async () => {
    const { patch, row } = await signedIn();
    const before = await row();
    const answer = await patch({ email: 'other@example.com', jersey_number: '9' });
    expect([answer.status, answer.body]).toEqual([400, { email: [EMAIL_FIXED] }]);
    expect(await row()).toEqual(before);
  });

  test('a patch is applied as a whole or not at all', async () => {
    const { patch, row } = await signedIn();
    const before = await row();
    for (const bad of [
      { username: 'x' },
      { jersey_number: '100' },
      { avatar_color: 'red' },
      { password: 'short' },
      { date_of_birth: '1999-02-02' },
    ])
      expect(
        (
          await patch({
            username: 'fine-name',
            jersey_number: '9',
            avatar_color: '#112233',
            ...bad,
          })
        ).status,
      ).toBe(400);
    expect(await row()).toEqual(before);
  });

  test('jersey and colour are stored in one form', async () => {
    const { patch } = await signedIn();
    for (const [typed, stored] of [
      ['7', '07'],
      ['07', '07'],
      ['0', '00'],
      ['99', '99'],
    ])
      expect((await patch({ jersey_number: typed })).body.jersey_number).toBe(stored);
    expect((await patch({ avatar_color: '#abcdef' })).body.avatar_color).toBe('#ABCDEF');
  });

  test.each([
    ['jersey_number', '100'],
    ['jersey_number', '-1'],
    ['jersey_number', '1.5'],
    ['jersey_number', ''],
    ['jersey_number', '７'],
    ['jersey_number', 7],
    ['jersey_number', null],
    ['avatar_color', 'red'],
    ['avatar_color', '#12345'],
    ['avatar_color', '#1234567'],
    ['avatar_color', '#12345g'],
    ['avatar_color', 'url(x)'],
    ['avatar_color', 123456],
    ['league_mode_enabled', 'true'],
    ['league_mode_enabled', 1],
    ['league_mode_enabled', null],
    ['username', 17],
    ['username', null],
    ['username', ['a', 'b', 'c']],
    ['username', 'x'.repeat(1500)],
    ['password', 12345678],
    ['password', null],
    ['password', 'x'.repeat(1500)],
    ['date_of_birth', 20000131],
    ['date_of_birth', null],
    ['date_of_birth', { year: 2000 }],
    ['email', 17],
    ['profile_setup_complete', 'yes'],
  ])('a malformed %s (%#) is 400 on that field', async (field, value) => {
    const { patch, row } = await signedIn({ date_of_birth: null });
    const before = await row();
    const answer = await patch({ [field]: value });
    expect([answer.status, answer.body]).toEqual([400, { [field]: [expect.any(String)] }]);
    expect(await row()).toEqual(before);
  });
});

describe('ACC-08, ACC-09: usernames', () => {
  test.each([
    ['', 'Username is required'],
    ['ab', 'Username must be at least 3 characters long'],
    ['x'.repeat(31), 'Username must be at most 30 characters long'],
    ['with blank', 'Username can only contain letters, numbers, underscores and hyphens'],
    ['nova!', 'Username can only contain letters, numbers, underscores and hyphens'],
    ['nóva', 'Username can only contain letters, numbers, underscores and hyphens'],
    ['a\u0000bc', 'Username can only contain letters, numbers, underscores and hyphens'],
    ['fuck', USERNAME_INAPPROPRIATE],
    ['f_u_1_c_k', USERNAME_INAPPROPRIATE],
    ['sshhiitt', USERNAME_INAPPROPRIATE],
  ])('%j: %s', async (username, message) => {
    const { patch, row } = await signedIn();
    const before = await row();
    const answer = await patch({ username });
    expect([answer.status, answer.body]).toEqual([400, { username: [message] }]);
    expect(await row()).toEqual(before);
  });

  test('are refused when empty, even before the player has chosen one', async () => {
    const { patch } = await signedIn({ username: null });
    const answer = await patch({ username: '', avatar_color: '#123456' });
    expect([answer.status, answer.body]).toEqual([400, { username: ['Username is required'] }]);
  });

  test('ACC-10: are unique without regard to case', async () => {
    const { player } = await signedIn({ username: 'Storm_1' });
    const other = await signedIn();
    const answer = await other.patch({ username: 'sTORM_1' });
    expect([answer.status, answer.body]).toEqual([
      400,
      { username: ['This username is already taken.'] },
    ]);
    await t.db.deleteFrom('players').where('id', '=', player.id).execute();
    expect((await other.patch({ username: 'sTORM_1' })).body.username).toBe('sTORM_1');
    expect((await other.patch({ username: 'STORM_1' })).body.username).toBe('STORM_1');
  });

  test('ACC-10: of 50 players who ask for one name in parallel, one gets it', async () => {
    const players = await Promise.all(Array.from({ length: 50 }, () => signedIn()));
    const answers = await Promise.all(
      players.map(({ patch }, n) => patch({ username: n % 2 ? 'everybody' : 'EVERYBODY' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter(({ status }) => status !== 200))
      expect([status, body]).toEqual([400, { username: ['This username is already taken.'] }]);
  });
});

test('P51: official names are refused, and a name changes 3 times a day', async () => {
  const { player, patch } = await signedIn({ username: `p51_${Date.now() % 1e6}` });
  const refused = await patch({ username: '4dm1n_' });
  expect([refused.status, refused.body]).toEqual([
    400,
    { username: ['This username is not available.'] },
  ]);
  const rename = async (n: number) => {
    const as = await makeSession(t, player);
    const body = { username: `p51-${player.id}-${'abcdefgh'[n]}` };
    return (await t.call('PATCH', '/api/users/profile/', { as, body })).status;
  };
  expect([await rename(0), await rename(1), await rename(2), await rename(3)]).toEqual([
    200, 200, 200, 429,
  ]);
  expect(await rename(2)).toBe(200);
  t.clock.advance(DAY);
  expect(await rename(3)).toBe(200);
});

describe('P30c: the date of birth', () => {
  const yearsAgo = (years: number, days = 0) => {
    // Ages count by UTC+14's date.
    const date = new Date(t.clock.now().getTime() + 14 * HOUR + days * DAY);
    date.setUTCFullYear(date.getUTCFullYear() - years);
    return date.toISOString().slice(0, 10);
  };
  const LOCKED = {
    date_of_birth: [
      'The date of birth of this account cannot be entered now. If you chose a wrong one, write to support@backboard.example.',
    ],
  };
  const TOO_YOUNG = { date_of_birth: ['You must be at least 13 years old to use Backboard.'] };

  test('a date of birth is accepted from the 13th birthday on', async () => {
    const { patch } = await signedIn(FRESH);
    const answer = await patch({ date_of_birth: yearsAgo(13) });
    expect([answer.status, answer.body.date_of_birth]).toEqual([200, yearsAgo(13)]);
  });

  test('a date one day too recent is refused and not stored, and then every date is refused for 24 h', async () => {
    const { player, patch, row } = await signedIn(FRESH);
    const before = await row();
    const young = await patch({ date_of_birth: yearsAgo(13, 1), jersey_number: '9' });
    expect([young.status, young.body]).toEqual([400, TOO_YOUNG]);
    const { birthdate_refused_until: until, ...after } = await row();
    expect({ ...after, birthdate_refused_until: null }).toEqual(before);
    expect(until?.getTime()).toBeGreaterThan(t.clock.now().getTime() + DAY - MINUTE);

    const older = await patch({ date_of_birth: '1990-05-05' });
    expect([older.status, older.body]).toEqual([400, LOCKED]);
    expect((await patch({ date_of_birth: yearsAgo(12) })).body).toEqual(LOCKED);
    const later = async (date_of_birth: string) => {
      const as = await makeSession(t, player);
      return (await t.call('PATCH', '/api/users/profile/', { as, body: { date_of_birth } })).status;
    };
    t.clock.advance(23 * HOUR);
    expect(await later('1990-05-05')).toBe(400);
    // A second date that is too recent does not restart the 24 hours.
    expect(await later(yearsAgo(12))).toBe(400);
    t.clock.advance(HOUR + MINUTE);
    expect(await later('1990-05-05')).toBe(200);
  });

  test('a new account with the same e-mail address is refused too, until staff enter a date', async () => {
    const { player, patch } = await signedIn(FRESH);
    await patch({ date_of_birth: yearsAgo(12) });
    const again = async () => {
      await t.db.deleteFrom('players').where('email', '=', player.email).execute();
      return signedIn({ ...FRESH, email: player.email });
    };
    expect((await (await again()).patch({ date_of_birth: '1990-05-05' })).body).toEqual(LOCKED);
    const last = await again();
    await replaceBirthdate(t, last.player.id, '1990-05-05');
    expect((await (await again()).patch({ date_of_birth: '1990-05-05' })).status).toBe(200);
    // The row does not contain the address, and no other address is refused.
    const rows = await t.db.selectFrom('limits').select('key').execute();
    expect(JSON.stringify(rows)).not.toContain(player.email);
    const other = await signedIn(FRESH);
    expect((await other.patch({ date_of_birth: '1990-05-05' })).status).toBe(200);
  });

  test('after one date is refused as too young, none of 20 parallel dates is accepted', async () => {
    const { patch, row } = await signedIn(FRESH);
    await patch({ date_of_birth: yearsAgo(5) });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch({ date_of_birth: `1990-05-${10 + n}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await row()).date_of_birth).toBeNull();
  });

  test('MIN_AGE=0 accepts any past date; a refusal names any other MIN_AGE', async () => {
    const any = await testApp({ min_age: 0 });
    const strict = await testApp({ min_age: 16, brand: 'HoopNation' });
    try {
      const ask = async (app: TestApp) => {
        const as = await makeSession(app, await makePlayer(app, FRESH));
        return app.call('PATCH', '/api/users/profile/', {
          as,
          body: { date_of_birth: yearsAgo(15) },
        });
      };
      expect((await ask(any)).status).toBe(200);
      expect((await ask(strict)).body).toEqual({
        date_of_birth: ['You must be at least 16 years old to use HoopNation.'],
      });
    } finally {
      await any.close();
      await strict.close();
    }
  });

  test.each([
    ['', 'Date of birth is required'],
    ['2023-02-29', 'Enter a valid date.'],
    ['2000-04-31', 'Enter a valid date.'],
    ['2000-13-01', 'Enter a valid date.'],
    ['2000-1-1', 'Enter a valid date.'],
    ['01/31/2000', 'Enter a valid date.'],
    ['2000-01-31T00:00:00Z', 'Enter a valid date.'],
    ['9999-01-01', 'Enter a valid date.'],
    ['0000-01-01', 'Enter a valid date.'],
    ['1899-12-31', 'Enter a valid date.'],
    ['now', 'Enter a valid date.'],
  ])('%j: %s', async (date_of_birth, message) => {
    const { patch, row } = await signedIn(FRESH);
    const before = await row();
    const answer = await patch({ date_of_birth });
    expect([answer.status, answer.body]).toEqual([400, { date_of_birth: [message] }]);
    expect(await row()).toEqual(before);
  });

  test('leap days and the oldest year of the list are accepted', async () => {
    const oldest = `${t.clock.now().getUTCFullYear() - 110}-01-01`;
    for (const date_of_birth of ['2000-02-29', oldest])
      expect((await (await signedIn(FRESH)).patch({ date_of_birth })).status).toBe(200);
  });

  test('a date of birth is set once; the same date is accepted again, another is refused', async () => {
    const { patch } = await signedIn(FRESH);
    expect((await patch({ date_of_birth: '2000-02-29' })).status).toBe(200);
    expect((await patch({ date_of_birth: '2000-02-29' })).status).toBe(200);
    const other = await patch({ date_of_birth: '2000-03-01' });
    expect([other.status, other.body]).toEqual([400, { date_of_birth: [BIRTHDATE_FIXED] }]);
    expect((await patch({ date_of_birth: yearsAgo(5) })).body).toEqual({
      date_of_birth: [BIRTHDATE_FIXED],
    });
  });

  test('only one of two parallel dates is kept', async () => {
    const { patch, row } = await signedIn(FRESH);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch({ date_of_birth: `2000-01-${10 + n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const won = answers.find(({ status }) => status === 200)?.body.date_of_birth;
    expect((await row()).date_of_birth).toBe(won);
  });
});

describe('profile setup', () => {
  const complete = { profile_setup_complete: true, has_set_password: true };

  test('the answer names every field that is missing, and nothing is stored', async () => {
    const { patch, row } = await signedIn(FRESH);
    const before = await row();
    const answer = await patch({ ...complete, avatar_color: '#112233' });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        date_of_birth: ['Date of birth is required'],
        username: ['Username is required'],
        password: ['Password must be at least 8 characters long'],
      },
    ]);
    const withoutDate = await patch({ ...complete, username: 'nova_7', password: PASSWORD });
    expect([withoutDate.status, Object.keys(withoutDate.body)]).toEqual([400, ['date_of_birth']]);
    expect(await row()).toEqual(before);
  });

  test('an empty password is refused without Google, and accepted with Google', async () => {
    const plain = await signedIn({ username: null });
    const setup = { ...complete, username: 'no-password', password: '' };
    const answer = await plain.patch(setup);
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, ['password']]);
    await linkGoogle(plain.player);
    expect((await plain.patch(setup)).body).toMatchObject({
      profile_setup_complete: true,
      has_set_password: false,
      sign_in_methods: ['google'],
    });
  });

  test('the first password sends no notice and keeps the session', async () => {
    const { player, patch, read } = await signedIn({ username: null });
    expect((await patch({ ...complete, username: 'first-one', password: PASSWORD })).status).toBe(
      200,
    );
    expect((await read()).body.profile_setup_complete).toBe(true);
    expect(await t.mails(player.email)).toEqual([]);
  });

  test('P7: the first password invalidates an earlier reset link', async () => {
    const { player, patch } = await signedIn({ username: null });
    await t.call('POST', '/api/users/auth/request-password-reset/', {
      body: { email: player.email },
      ip: makeIp(),
    });
    await expect.poll(async () => (await t.mails(player.email)).length).toBe(1);
    const link = await linkFor(t, player.email);
    expect((await patch({ username: 'link-less', password: PASSWORD })).status).toBe(200);
    const reset = await t.call('POST', '/api/users/auth/reset-password/', {
      body: { ...link, password: 'another quiet kite' },
    });
    expect(reset.status).toBe(400);
  });

  test('a taken username costs neither a hash nor a use of the limit of P12', async () => {
    await signedIn({ username: 'taken-name' });
    const { patch } = await signedIn({ username: null });
    for (let n = 0; n < 8; n += 1)
      expect(
        (await patch({ ...complete, username: 'Taken-Name', password: PASSWORD })).body,
      ).toEqual({
        username: ['This username is already taken.'],
      });
    expect((await patch({ ...complete, username: 'free-name', password: PASSWORD })).status).toBe(
      200,
    );
  });
});

describe('P12: a new password in the profile', () => {
  test('P12 P7: ends all other sessions, keeps this one, and mails the owner a link', async () => {
    const { player, patch, read } = await signedIn({ password_hash });
    const other = await makeSession(t, player);
    expect((await patch({ password: 'another quiet kite' })).status).toBe(200);
    expect((await read()).status).toBe(200);
    expect((await t.call('GET', '/api/users/profile/', { as: other })).status).toBe(401);
    const login = (password: string) =>
      t.call('POST', '/api/users/auth/login/', {
        body: { email: player.email, password },
        ip: makeIp(),
      });
    expect((await login(PASSWORD)).status).toBe(400);
    expect((await login('another quiet kite')).status).toBe(200);
    expect((await t.mails(player.email)).map(({ subject }) => subject)).toEqual([
      'Your password was changed',
    ]);
    expect((await linkFor(t, player.email)).email).toBe(player.email);
  });

  test('a player with only Google who adds a password gets a mail too', async () => {
    const { player, patch } = await signedIn();
    await linkGoogle(player);
    expect((await patch({ password: PASSWORD })).body.sign_in_methods).toEqual([
      'password',
      'google',
    ]);
    expect(await t.mails(player.email)).toHaveLength(1);
  });

  test('a player may change the password five times an hour', async () => {
    const { patch } = await signedIn({ password_hash });
    for (let n = 0; n < 5; n += 1)
      expect((await patch({ password: `another quiet kite ${n}` })).status).toBe(200);
    const refused = await patch({ password: 'another quiet kite 6' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect((await patch({ jersey_number: '8' })).status).toBe(200);
  });

  test.each([
    ['short', 'Password must be at least 8 characters long'],
    ['password123', 'stolen'],
    ['Backboard-1', 'too close'],
  ])('%s is refused: %s', async (password, says) => {
    const { patch, row } = await signedIn({ password_hash });
    const before = await row();
    const answer = await patch({ password });
    expect(answer.status).toBe(400);
    expect(answer.body.password[0]).toContain(says);
    expect(await row()).toEqual(before);
  });

  test('P13: a password that is close to the new username in the same patch is refused', async () => {
    const { patch } = await signedIn({ username: null });
    const answer = await patch({ username: 'thunder-bird', password: 'thunder-bird1' });
    expect(answer.body.password?.[0]).toContain('too close');
  });
});

describe('league mode', () => {
  const history = async (player: { id: number }) =>
    (
      await t.db
        .selectFrom('league_mode_changes')
        .select('enabled')
        .where('player_id', '=', player.id)
        .orderBy('at')
        .execute()
    ).map(({ enabled }) => enabled);

  test('every change is recorded with its time, and an unchanged value is not', async () => {
    const { player, patch } = await signedIn();
    for (const league_mode_enabled of [true, true, false, false, true]) {
      const { body } = await patch({ league_mode_enabled });
      expect(body.league_mode_enabled).toBe(league_mode_enabled);
      t.clock.advance(1000);
    }
    expect(await history(player)).toEqual([true, false, true]);
  });

  test('of parallel changes the last one is stored', async () => {
    const { player, patch, row } = await signedIn();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch({ league_mode_enabled: n % 2 === 0 })),
    );
    const { league_mode_enabled } = await row();
    expect((await history(player)).at(-1)).toBe(league_mode_enabled);
  });
});

test('P39a: a player may change league mode 200 times a day', async () => {
  const player = await makePlayer(t);
  const turn = async (league_mode_enabled: boolean) => {
    // Each session has its own rate limit.
    const as = await makeSession(t, player);
    return t.call('PATCH', '/api/users/profile/', { as, body: { league_mode_enabled } });
  };
  for (let n = 0; n < 200; n += 1) expect((await turn(n % 2 === 0)).status).toBe(200);
  expect((await turn(false)).status).toBe(200);
  const refused = await turn(true);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3600);
  t.clock.advance(DAY);
  expect((await turn(true)).status).toBe(200);
});

test('P39a: all sessions of a player together may make four times the calls of one', async () => {
  const player = await makePlayer(t);
  const other = await makeSession(t, await makePlayer(t));
  const read = (as: { access: string }) => t.call('GET', '/api/users/profile/', { as });
  const now = performance.now();
  const statuses: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const as = await makeSession(t, player);
    // With this clock stopped, the rate limit's buckets do not refill.
    vi.spyOn(performance, 'now').mockReturnValue(now);
    for (let call = 0; call < 200; call += 1) statuses.push((await read(as)).status);
    vi.mocked(performance.now).mockRestore();
  }
  expect(statuses.lastIndexOf(200)).toBe(799);
  expect(statuses[800]).toBe(429);
  expect((await read(other)).status).toBe(200);
});

test('P39a: a session that changes too often gets 429, and may still read', async () => {
  const as = await makeSession(t, await makePlayer(t));
  const calls = async (method: string, count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, () => t.call(method, '/api/users/profile/', { as, body: {} })),
    );
    return answers.map(({ status }) => status);
  };
  const writes = await calls('PATCH', 120);
  expect(writes.filter((status) => status === 200).length).toBeGreaterThanOrEqual(60);
  expect(writes).toContain(429);
  expect(new Set(await calls('GET', 50))).toEqual(new Set([200]));
});

describe('the code on the phone', () => {
  test('a code is replaced on demand; the old one stops working', async () => {
    const { player, as, read } = await signedIn();
    const { status, body } = await t.call('POST', '/api/users/profile/new-code/', { as });
    expect(status).toBe(200);
    expect(body).toEqual({ uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(body.uuid).not.toBe(player.uuid);
    expect((await read()).body.uuid).toBe(body.uuid);
  });

  test('ACC-29: a code opens nothing without a token', async () => {
    const { player } = await signedIn();
    for (const token of [player.uuid, `Bearer ${player.uuid}`])
      expect(
        (await t.call('GET', '/api/users/profile/', { headers: { authorization: token } })).status,
      ).toBe(401);
  });
});

describe('P30d: the export', () => {
  test('a HEAD request does not use up an export', async () => {
    const { as } = await signedIn();
    for (let n = 0; n < 5; n += 1)
      expect((await t.call('HEAD', '/api/users/profile/export/', { as })).status).toBe(405);
    expect((await t.call('GET', '/api/users/profile/export/', { as })).status).toBe(200);
  });

  test('an export has everything about the player, and nothing about anyone else', async () => {
    const { player, as, patch } = await signedIn({ password_hash });
    await linkGoogle(player);
    await patch({ league_mode_enabled: true });
    const machine = await makeMachine(t);
    const [reported] = await makeGames(t, machine, player, [{ score: 120 }, { score: 80 }]);
    await t.call('POST', `/api/users/profile/games/${reported?.id}/report/`, {
      as,
      body: { reason: 'machine', text: 'The rim is bent.' },
    });
    const league = await makeLeague(t);
    await setJoining(t, league, 'ask');
    const team = await makeTeam(t, league);
    await t.call('POST', `/api/teams/join/${await readCode(t.db, team)}/`, { as });
    const stranger = await signedIn();
    await makeGames(t, machine, stranger.player, [{ score: 4321 }]);

    const { status, body, headers } = await t.call('GET', '/api/users/profile/export/', { as });
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain('attachment');
    expect(body.user).toMatchObject({ email: player.email, username: player.username });
    expect(body.account.created_at).toBe(player.created_at.toISOString());
    expect(body.sessions).toHaveLength(1);
    expect(body.identities).toEqual([
      {
        issuer: 'https://accounts.google.com',
        subject: String(player.id),
        authoritative: false,
        created_at: expect.any(String),
      },
    ]);
    expect(body.league_mode_changes).toEqual([{ at: expect.any(String), enabled: true }]);
    expect(body.games.map(({ score }: { score: number }) => score).sort()).toEqual([120, 80]);
    expect(body.game_reports).toEqual([
      {
        game: reported?.id,
        reason: 'machine',
        text: 'The rim is bent.',
        reported_at: expect.any(String),
        state: 'open',
        settled_at: null,
      },
    ]);
    expect(body.join_request).toEqual({ team: team.name, asked_at: expect.any(String) });
    expect(body.cups).toEqual([]);
    const text = JSON.stringify(body);
    expect(text).not.toContain('argon2');
    expect(text).not.toContain(stranger.player.email);
    expect(text).not.toContain('"score":4321');
  });

  test('an export needs a sign-in of the last hour; a player may have three a day', async () => {
    const { player, as } = await signedIn();
    const get = (who: { access: string }) =>
      t.call('GET', '/api/users/profile/export/', { as: who });
    for (let n = 0; n < 3; n += 1) expect((await get(as)).status).toBe(200);
    t.clock.advance(5 * MINUTE);
    const fourth = await get(as);
    expect([fourth.status, fourth.body]).toEqual([
      429,
      { detail: 'You can download your data 3 times a day. Try again in 24 hours.' },
    ]);
    expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(23 * 3600);
    t.clock.advance(DAY);
    const { body } = await t.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh: as.refresh },
    });
    const old = await get(body);
    expect([old.status, old.body]).toEqual([403, { detail: SIGN_IN_AGAIN }]);
    const hour = await signedIn();
    t.clock.advance(60 * MINUTE - 1000);
    const { body: fresh } = await t.call('POST', '/api/users/auth/token/refresh/', {
      body: { refresh: hour.as.refresh },
    });
    expect((await get(fresh)).status).toBe(200);
    t.clock.advance(2000);
    expect((await get(fresh)).status).toBe(403);
    expect((await get(await makeSession(t, player))).status).toBe(200);
  });

  test('an export that fails uses up none of the three', async () => {
    const { as } = await signedIn();
    const get = async () => (await t.call('GET', '/api/users/profile/export/', { as })).status;
    await t.pool.query('alter table join_requests rename to away');
    for (let n = 0; n < 4; n += 1) expect(await get()).toBe(500);
    await t.pool.query('alter table away rename to join_requests');
    expect(await get()).toBe(200);
  });

  test('exports are made for one player at a time', async () => {
    const get = async () =>
      t.call('GET', '/api/users/profile/export/', { as: (await signedIn()).as });
    const lock = await t.pool.connect();
    await lock.query('begin; lock table join_requests in access exclusive mode');
    const answers = Promise.all([get(), get(), get()]);
    try {
      await untilBlocked(t, 1);
      // If exports ran at the same time, the other two would wait for the lock by now, too.
      await setTimeout(300);
      await untilBlocked(t, 1);
    } finally {
      await lock.query('rollback');
      lock.release();
    }
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('an export lists all achievements, even those of finished weeks', async () => {
    goToMidweek(t);
    const [player, teammate] = [await makePlayer(t), await makePlayer(t)];
    await makeTeam(t, await makeLeague(t), [player, teammate]);
    const machine = await makeMachine(t);
    await makeGames(t, machine, player, [{ score: 120 }]);
    await makeGames(t, machine, teammate, [{ score: 80 }]);
    t.clock.advance(7 * DAY);
    const as = await makeSession(t, player);
    const won = await t.call('GET', '/api/achievements/user_achievements/', { as });
    const { body } = await t.call('GET', '/api/users/profile/export/', { as });
    expect(body.achievements).toEqual(won.body);
    const keys = body.achievements.map(({ key }: { key: string }) => key);
    expect(keys).toEqual(expect.arrayContaining(['first-game', 'best-of-team']));
  });

  test('every table that names a player is in the export, or is listed with a reason', async () => {
    const { rows } = await t.pool.query<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'player_id' order by 1`,
    );
    expect(rows.map(({ table_name }) => table_name)).toEqual([
      'audit', // Not in the export: what staff did.
      'bests', // Not in the export: computed from the games.
      'blocks',
      'board_places', // Not in the export: computed from the games, kept for two days.
      'codes', // Not in the export: hashes of secrets that expire within an hour.
      'cup_players',
      'cup_sides',
      'duel_tallies',
      'friend_codes', // Not in the export: hashes of codes that live for ten minutes.
      'friendships',
      'game_reports',
      'games',
      'identities',
      'join_requests',
      'league_decisions', // Not in the export: what staff did, kept for a day.
      'league_mode_changes',
      'league_weeks', // Not in the export: computed from the games.
      'nudges',
      'player_achievements',
      'player_push',
      'player_stats', // In the export as part of `user`.
      'push_devices',
      'push_notices', // Not in the export: gone within a week.
      'push_off', // Not in the export: hashes of addresses that get nothing.
      'sessions',
      'team_changes',
    ]);
  });
});

test('a patch changes nothing if its account is deleted meanwhile', async () => {
  const { player, patch } = await signedIn();
  const [deleted, patched] = await Promise.all([
    t.db.deleteFrom('players').where('id', '=', player.id).execute(),
    patch({ username: 'too-late' }),
  ]);
  expect(deleted).toBeDefined();
  expect([200, 401]).toContain(patched.status);
});
