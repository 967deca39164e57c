import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import { aGame, makeIp, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { type CallOptions, OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';

/**
 * Each kind of secret works in one place only (P1, P2, P20, P23, P29, P31a, OPS-01): each is sent
 * to every route that takes another kind.
 */
const KINDS = [
  'access token',
  'refresh token',
  'verification code',
  'reset token',
  'machine key',
  'operator key',
  'Google code',
  'id_token',
  'session id',
  'player code',
] as const;
type Kind = (typeof KINDS)[number];

const t = withApp();
let secrets: Record<Kind, string>;
/** The address of the secrets' owner. */
let email: string;
/** The address that the verification code belongs to. */
let waiting: string;
let player: { id: number; uuid: string };

async function issue(): Promise<void> {
  const owner = await makePlayer(t);
  player = owner;
  email = owner.email;
  waiting = `waiting-${randomUUID()}@example.com`;
  const { access, refresh } = await makeSession(t, owner);
  const [session] = await t.db
    .selectFrom('sessions')
    .select('id')
    .where('player_id', '=', owner.id)
    .execute();
  await t.call('POST', '/api/users/auth/register/', { body: { email: waiting }, ip: makeIp() });
  await t.call('POST', '/api/users/auth/request-password-reset/', {
    body: { email },
    ip: makeIp(),
  });
  await vi.waitFor(async () => expect(await t.mails(email)).toHaveLength(1), 20_000);
  secrets = {
    'access token': access,
    'refresh token': refresh,
    'verification code': await codeFor(t, waiting),
    'reset token': (await linkFor(t, email)).token,
    'machine key': (await makeMachine(t)).key,
    'operator key': OPERATOR_KEY,
    'Google code': '4/0AeanS0b-made-by-google',
    id_token: `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(
      JSON.stringify({ iss: 'https://accounts.google.com', sub: '1', email, email_verified: true }),
    ).toString('base64url')}.c2lnbmF0dXJl`,
    'session id': session?.id ?? '',
    'player code': owner.uuid,
  };
}

beforeAll(async () => {
  await issue();
});

type Entrance = {
  accepts: Kind;
  request: (secret: string) => [method: string, path: string, options: CallOptions];
  refusals: number[];
};
const asBearer = (method: string, path: string, body?: unknown) => (key: string) =>
  [method, path, { as: { key }, ip: makeIp(), ...(body === undefined ? {} : { body }) }] as [
    string,
    string,
    CallOptions,
  ];
const inBody = (path: string, body: (secret: string) => unknown) => (secret: string) =>
  ['POST', `/api/users/${path}/`, { body: body(secret), ip: makeIp() }] as [
    string,
    string,
    CallOptions,
  ];

const ENTRANCES: Record<string, Entrance> = {
  'the profile': {
    accepts: 'access token',
    request: asBearer('GET', '/api/users/profile/'),
    refusals: [401],
  },
  'a change of the profile': {
    accepts: 'access token',
    request: asBearer('PATCH', '/api/users/profile/', { jersey_number: '9' }),
    refusals: [401],
  },
  'the league': {
    accepts: 'access token',
    request: asBearer('GET', '/api/leaderboards/'),
    refusals: [401],
  },
  'a token refresh': {
    accepts: 'refresh token',
    request: inBody('auth/token/refresh', (refresh) => ({ refresh })),
    refusals: [401],
  },
  'verifying the address': {
    accepts: 'verification code',
    request: inBody('verify-email', (code) => ({ email: waiting, code })),
    refusals: [400],
  },
  'a reset link': {
    accepts: 'reset token',
    request: inBody('auth/reset-password', (token) => ({
      email,
      token,
      password: 'another quiet kite',
    })),
    refusals: [400],
  },
  'the machine’s own record': {
    accepts: 'machine key',
    request: asBearer('GET', '/api/machine/'),
    refusals: [401],
  },
  'games of a machine': {
    accepts: 'machine key',
    request: (key) => [
      'POST',
      '/api/machine/games/',
      { as: { key }, body: { games: [aGame(t, player)] } },
    ],
    refusals: [401],
  },
  'the operator': {
    accepts: 'operator key',
    request: asBearer('GET', '/api/operator/machines/'),
    refusals: [401],
  },
  'a restore': {
    accepts: 'operator key',
    request: asBearer('POST', '/api/operator/restores/'),
    refusals: [401],
  },
  'the Google callback': {
    accepts: 'Google code',
    request: inBody('auth/google/callback', (code) => ({ code })),
    refusals: [400],
  },
  'the password': {
    // A password is none of these kinds, so name a kind that is skipped.
    accepts: 'session id',
    request: inBody('auth/login', (password) => ({ email, password })),
    refusals: [400],
  },
};

describe.each(Object.entries(ENTRANCES))(
  'P1 P2 P20 P23 P29c P31a: %s',
  (_name, { accepts, request, refusals }) => {
    test.each(KINDS.filter((kind) => kind !== accepts))('refuses a %s', async (kind) => {
      const before = await t.db.selectFrom('sessions').select('id').execute();
      const answer = await t.call(...request(secrets[kind]));
      expect(refusals).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toMatch(/access|refresh|uuid|key"/);
      expect(await t.db.selectFrom('sessions').select('id').execute()).toEqual(before);
    });
  },
);

test('P1 P2 P20 P23 P31a: afterwards each secret still works in its own place', async () => {
  await issue();
  const worked: Record<string, number> = {};
  for (const [name, { accepts, request }] of Object.entries(ENTRANCES))
    if (accepts !== 'Google code' && accepts !== 'session id')
      worked[name] = (await t.call(...request(secrets[accepts]))).status;
  expect(worked).toEqual(Object.fromEntries(Object.keys(worked).map((name) => [name, 200])));
  expect(Object.keys(worked)).toHaveLength(10);
});

test("ACC-29 P31a: a player's code opens nothing but a machine's greeting", async () => {
  const code = secrets['player code'];
  for (const path of [
    `/api/users/${code}/`,
    `/api/users/profile/${code}/`,
    `/api/machine/players/${code}/`,
  ])
    expect([401, 404]).toContain((await t.call('GET', path)).status);
});
