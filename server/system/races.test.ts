import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import {
  aGame,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import {
  allowSlowTests,
  openSharedDatabase,
  type ServerProcess,
  type Shared,
  slowPoll,
  startServer,
} from '#testing/app/server-process.ts';
import { type Answer, type CallOptions, OPERATOR_KEY } from '#testing/app/test-app.ts';
import { freePort } from '#testing/ports.ts';
import { chooseAtStandIn } from '#testing/stand-in-sign-in.ts';
import { PEOPLE, type StandIn, startStandIn } from '../../standin/provider.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { markVenue } from '../http/limits.ts';
import { findOrAddVenue } from '../venues/venues.ts';

allowSlowTests();

/** Concurrent requests to two processes, for a change that may happen only once (REL-18). */
const TRIES = 50;
const CLIENT = { client_id: 'backboard-races', client_secret: 'a-secret-of-the-test' };
const REDIRECT = 'http://localhost:3000/auth/google/callback';
const PASSWORD = 'quiet orange kite';

let shared: Shared;
let standIn: StandIn;
let servers: ServerProcess[];
let password_hash: string;
beforeAll(async () => {
  shared = await openSharedDatabase();
  standIn = await startStandIn({ port: 0, redirect_uri: REDIRECT, ...CLIENT });
  const environment = {
    ...shared.environment,
    GOOGLE_CLIENT_ID: CLIENT.client_id,
    GOOGLE_CLIENT_SECRET: CLIENT.client_secret,
    GOOGLE_ISSUER: standIn.issuer,
  };
  servers = [
    startServer(await freePort(), environment),
    startServer(await freePort(), environment),
  ];
  await Promise.all(servers.map((server) => server.ready()));
  password_hash = await hashPassword(PASSWORD);
});
afterAll(async () => {
  await shared.close();
  await standIn.stop();
});
// Otherwise the limits of one test would affect the next.
beforeEach(() => shared.db.deleteFrom('limits').execute());

function race(
  count: number,
  call: (n: number) => [method: string, path: string, options?: CallOptions],
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, n) => {
      const server = servers[n % servers.length];
      if (server === undefined) throw new Error('there is no server');
      return server.call(...call(n));
    }),
  );
}
const post = (path: string, body: unknown, ip = makeIp()) =>
  ['POST', `/api/users/${path}/`, { body, ip }] as [string, string, CallOptions];
const once = async (call: [string, string, CallOptions?]) => (await race(1, () => call))[0]?.status;
const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

let people = 0;
const anEmail = () => `racer${++people}@example.com`;
const sessionsOf = (email: string) =>
  shared.db
    .selectFrom('sessions')
    .innerJoin('players', 'players.id', 'sessions.player_id')
    .select('sessions.id')
    .where('players.email', '=', email)
    .execute();
const mailed = async (email: string, count = 1) => {
  await expect.poll(async () => (await shared.mails(email)).length, slowPoll).toBe(count);
};
async function pending() {
  const email = anEmail();
  expect(await once(post('auth/register', { email }))).toBe(201);
  await mailed(email);
  return { email, code: await codeFor(shared, email) };
}

describe('REL-18: over two processes', () => {
  test('P6: an address registered many times gets one account and one mail', async () => {
    const email = anEmail();
    const answers = await race(TRIES, () => post('auth/register', { email }));
    // All requests wait for one row. On a slow computer some get a 503 (P17, P39).
    expect(statuses(answers.filter(({ status }) => status !== 503))).toEqual([201]);
    const players = await shared.db
      .selectFrom('players')
      .select('id')
      .where('email', '=', email)
      .execute();
    expect(players).toHaveLength(1);
    await mailed(email);
    expect(await once(post('verify-email', { email, code: await codeFor(shared, email) }))).toBe(
      200,
    );
  });

  test('P20: a code opens one session', async () => {
    const { email, code } = await pending();
    const answers = await race(TRIES, () => post('verify-email', { email, code }));
    expect(withStatus(answers, 200)).toHaveLength(1);
    // The first success clears the limit, so the number of 429s depends on when it comes.
    expect(withStatus(answers, 400).length + withStatus(answers, 429).length).toBe(TRIES - 1);
    expect(await sessionsOf(email)).toHaveLength(1);
  });

  test('P20: after 20 wrong codes from a network the answer is 429', async () => {
    const { email, code } = await pending();
    const other = (n: number) => String((Number(code) + n + 1) % 1_000_000).padStart(6, '0');
    const ip = makeIp();
    // Makes it a venue's network, so that the network's own limit does not stop the tries.
    await markVenue(shared, ip);
    const answers = await race(TRIES, (n) => post('verify-email', { email, code: other(n) }, ip));
    expect(withStatus(answers, 400)).toHaveLength(20);
    expect(withStatus(answers, 429)).toHaveLength(TRIES - 20);
  });

  test('P23: a link sets one password', async () => {
    const { email } = await makePlayer(shared, { password_hash });
    expect(await once(post('auth/request-password-reset', { email }))).toBe(200);
    await mailed(email);
    const link = await linkFor(shared, email);
    const answers = await race(TRIES, (n) =>
      post('auth/reset-password', { ...link, password: `quiet kite ${n}` }),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    expect(withStatus(answers, 200)).toHaveLength(1);
    // A call that waits too long to hash gets a 503 (P15).
    expect(answers.filter(({ status }) => ![200, 400, 503].includes(status))).toEqual([]);
    expect(await sessionsOf(email)).toHaveLength(1);
    expect(await once(post('auth/login', { email, password: `quiet kite ${won}` }))).toBe(200);
    expect(await once(post('auth/login', { email, password: PASSWORD }))).toBe(400);
  });

  test('P29d: a code from Google opens at most one session', async () => {
    const [person] = PEOPLE;
    if (person === undefined) throw new Error('the stand-in has nobody');
    const { google } = (await servers[0]?.call('GET', '/api/config/'))?.body ?? {};
    const code = (await chooseAtStandIn(google, person)).searchParams.get('code');
    const answers = await race(TRIES, () => post('auth/google/callback', { code }));
    expect(withStatus(answers, 200).length).toBeLessThanOrEqual(1);
    expect(withStatus(answers, 400).length).toBeGreaterThanOrEqual(TRIES - 1);
    expect((await sessionsOf(person.email)).length).toBeLessThanOrEqual(1);
  });

  test('P3: a refresh token has one successor', async () => {
    const player = await makePlayer(shared);
    const { refresh } = await makeSession(shared, player);
    const answers = await race(TRIES, () => post('auth/token/refresh', { refresh, rotate: true }));
    expect(statuses(answers)).toEqual([200]);
    const successors = new Set(answers.map(({ body }) => body.refresh));
    expect(successors.size).toBe(1);
    const [next] = successors;
    expect(await once(post('auth/token/refresh', { refresh: next, rotate: true }))).toBe(200);
    expect(await sessionsOf(player.email)).toHaveLength(1);
  });

  test('P5: an account has at most 20 sessions', async () => {
    const player = await makePlayer(shared, { password_hash });
    const answers = await race(25, () =>
      post('auth/login', { email: player.email, password: PASSWORD }),
    );
    expect(withStatus(answers, 200).length).toBeGreaterThan(0);
    for (let n = 0; n < 25; n += 1) await makeSession(shared, player);
    expect(await sessionsOf(player.email)).toHaveLength(20);
  });

  test('ACC-10: only one of many players who choose the same username gets it', async () => {
    const racers = await Promise.all(
      Array.from({ length: TRIES }, async () =>
        makeSession(shared, await makePlayer(shared, { username: null })),
      ),
    );
    const answers = await race(TRIES, (n) => {
      const as = racers[n];
      if (as === undefined) throw new Error('there is no racer');
      return [
        'PATCH',
        '/api/users/profile/',
        { as, body: { username: n % 2 ? 'Racer' : 'rACER' } },
      ];
    });
    expect(withStatus(answers, 200)).toHaveLength(1);
    expect(withStatus(answers, 400)).toHaveLength(TRIES - 1);
    for (const { body } of withStatus(answers, 400))
      expect(body).toEqual({ username: ['This username is already taken.'] });
  });

  test.each([
    ['machine', 'machines/change'],
    ['screen', 'screens/change'],
    ['staff', 'staff/change'],
    ['league', 'leagues/rename'],
    ['team', 'teams/rename'],
  ] as const)('OPS-03: of many renames to one name, one succeeds (%s)', async (kind, path) => {
    const cup = await makeLeague(shared);
    const mall = await findOrAddVenue(shared.db, 'Mall');
    const aScreen = async (n: number) =>
      shared.db
        .insertInto('screens')
        .values({
          venue_id: mall.id,
          name: `Screen ${n}`,
          slides: sql`'[]'`,
          created_at: shared.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
    const make = {
      machine: () => makeMachine(shared),
      screen: aScreen,
      staff: () => makeStaff(shared),
      league: () => makeLeague(shared),
      team: () => makeTeam(shared, cup),
    }[kind];
    const made = await Promise.all(Array.from({ length: TRIES }, (_, n) => make(n)));
    const answers = await race(TRIES, (n) => [
      'POST',
      `/api/operator/${path}/`,
      { as: { key: OPERATOR_KEY }, body: { [kind]: `id:${made[n]?.id}`, name: 'Chosen by all' } },
    ]);
    expect(withStatus(answers, 200)).toHaveLength(1);
    expect(withStatus(answers, 409)).toHaveLength(TRIES - 1);
  });

  test('P31c: a game that is reported many times is recorded once, and the rest are duplicates', async () => {
    const player = await makePlayer(shared);
    const { key } = await makeMachine(shared);
    const game = aGame(shared, player);
    const answers = await race(TRIES, () => [
      'POST',
      '/api/machine/games/',
      { as: { key }, body: { games: [game] } },
    ]);
    const results = withStatus(answers, 200).map(({ body }) => body.results[0].status);
    expect(results.filter((status) => status === 'recorded')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['recorded', 'duplicate']));
    const games = await shared.db
      .selectFrom('games')
      .select('id')
      .where('id', '=', game.id)
      .execute();
    expect(games).toHaveLength(1);
  });

  test('P30e: an account is deleted once', async () => {
    const player = await makePlayer(shared);
    const as = await makeSession(shared, player);
    const answers = await race(TRIES, () => [
      'DELETE',
      '/api/users/profile/',
      { as, ip: makeIp() },
    ]);
    expect(statuses(answers).filter((status) => ![204, 401].includes(status))).toEqual([]);
    expect(withStatus(answers, 204).length).toBeGreaterThan(0);
    const stones = await shared.db.selectFrom('tombstones').selectAll().execute();
    expect(stones).toHaveLength(1);
  });
});

describe('REL-18: a burst over two processes exceeds no rate limit', () => {
  const unknown = { password: 'not the password' };
  /** A burst for each rate limit, and how much of it may pass. */
  const BURSTS: [
    id: string,
    what: string,
    max: number,
    /** `call` builds request `n` of the burst. `passed`: whether the limit let it pass. */
    burst: () => Promise<{
      call: (n: number) => [string, string, CallOptions?];
      passed?: (answer: Answer) => boolean;
    }>,
  ][] = [
    [
      'P19',
      'checks of addresses from one IP, a minute',
      30,
      async () => {
        const ip = makeIp();
        return { call: () => post('auth/check-email', { email: anEmail() }, ip) };
      },
    ],
    [
      'P19',
      'checks of one address from one network, an hour',
      30,
      async () => {
        const [email, ip] = [anEmail(), makeIp()];
        return { call: () => post('auth/check-email', { email }, ip) };
      },
    ],
    [
      'P16',
      'failed logins from one IP to one account',
      5,
      async () => {
        const [ip, email] = [makeIp(), anEmail()];
        return { call: () => post('auth/login', { email, ...unknown }, ip) };
      },
    ],
    [
      'P16',
      'failed logins from one IP, a minute',
      10,
      async () => {
        const ip = makeIp();
        return { call: () => post('auth/login', { email: anEmail(), ...unknown }, ip) };
      },
    ],
    // After the 20 calls of an hour, one more a minute passes.
    [
      'P16',
      'failed logins to one account from all IPs, an hour',
      21,
      async () => {
        const email = anEmail();
        return { call: () => post('auth/login', { email, ...unknown }) };
      },
    ],
    [
      'P22',
      'mails with codes from one IP, an hour',
      20,
      async () => {
        const ip = makeIp();
        return { call: () => post('resend-verification', { email: anEmail() }, ip) };
      },
    ],
    [
      'P24',
      'requests for a link from one IP, an hour',
      20,
      async () => {
        const ip = makeIp();
        return { call: () => post('auth/request-password-reset', { email: anEmail() }, ip) };
      },
    ],
    [
      'P12',
      'passwords set in the profile, an hour',
      5,
      async () => {
        const as = await makeSession(shared, await makePlayer(shared));
        return {
          call: (n) => [
            'PATCH',
            '/api/users/profile/',
            { as, body: { password: `quiet kite ${n}` } },
          ],
          // The session that changes the password stays open.
          passed: ({ status }) => status === 200 || status === 503,
        };
      },
    ],
    [
      'P29d',
      'codes from Google from one IP, a minute',
      30,
      async () => {
        const ip = makeIp();
        return { call: () => post('auth/google/callback', { code: 'made-up' }, ip) };
      },
    ],
    [
      'P30d',
      'exports, a day',
      3,
      async () => {
        const as = await makeSession(shared, await makePlayer(shared));
        return { call: () => ['GET', '/api/users/profile/export/', { as }] };
      },
    ],
  ];

  test.each(BURSTS)('%s: %s (%i)', async (_id, _what, max, burst) => {
    const { call, passed = ({ status }) => status !== 429 } = await burst();
    const answers = await race(max + 30, call);
    expect(answers.filter(passed).length).toBeLessThanOrEqual(max);
    expect(answers.filter(passed).length).toBeGreaterThan(0);
    const refused = withStatus(answers, 429);
    expect(refused.length).toBeGreaterThanOrEqual(30);
    for (const { body, headers } of refused) {
      expect(Object.keys(body)[0]).toBe('detail');
      expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    }
  });

  test('P24: many requests for a link send one mail', async () => {
    const { email } = await makePlayer(shared);
    const answers = await race(TRIES, () => post('auth/request-password-reset', { email }));
    expect(statuses(answers)).toEqual([200]);
    await mailed(email);
  });

  test('P31g: a machine may send a burst of 50 requests, and ten more each second', async () => {
    const { key } = await makeMachine(shared);
    const began = performance.now();
    const answers = await race(120, () => ['GET', '/api/machine/', { as: { key } }]);
    const seconds = (performance.now() - began) / 1000;
    expect(withStatus(answers, 200).length).toBeLessThanOrEqual(50 + Math.ceil(seconds * 10));
    expect(statuses(answers)).toEqual([200, 429]);
  });
});
