import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeFor, linkFor } from '../testing/mails.ts';
import { aGame, makeIp, makeMachine, makePlayer, makeSession } from '../testing/make.ts';
import { type CallOptions, OPERATOR_KEY, type TestApp, testApp } from '../testing/test-app.ts';

/**
 * Each secret opens one kind of door (P1, P2, P20, P23, P29, P31a, contract 3 and 5). Here each kind
 * is tried at every door of another kind, once as it is and once in the place of the right one.
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

let t: TestApp;
let secrets: Record<Kind, string>;
/** The verified player of all these secrets, and the address that waits for the code. */
let email: string;
let waiting: string;
/** Who may be played for at the machine's door. */
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
  t = await testApp();
  await issue();
});
afterAll(() => t.close());

type Door = {
  opens: Kind;
  /** How a secret is shown at this door. */
  knock: (secret: string) => [method: string, path: string, options: CallOptions];
  /** What the door says to a secret of another kind. */
  says: number[];
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

const DOORS: Record<string, Door> = {
  'the profile': {
    opens: 'access token',
    knock: asBearer('GET', '/api/users/profile/'),
    says: [401],
  },
  'a change of the profile': {
    opens: 'access token',
    knock: asBearer('PATCH', '/api/users/profile/', { jersey_number: '9' }),
    says: [401],
  },
  'the league': {
    opens: 'access token',
    knock: asBearer('GET', '/api/leaderboards/'),
    says: [401],
  },
  'a token refresh': {
    opens: 'refresh token',
    knock: inBody('auth/token/refresh', (refresh) => ({ refresh })),
    says: [401],
  },
  'verifying the address': {
    opens: 'verification code',
    knock: inBody('verify-email', (code) => ({ email: waiting, code })),
    says: [400],
  },
  'the link of a reset': {
    opens: 'reset token',
    knock: inBody('auth/reset-password', (token) => ({
      email,
      token,
      password: 'another quiet kite',
    })),
    says: [400],
  },
  'the machine’s own record': {
    opens: 'machine key',
    knock: asBearer('GET', '/api/machine/'),
    says: [401],
  },
  'games of a machine': {
    opens: 'machine key',
    knock: (key) => [
      'POST',
      '/api/machine/games/',
      { as: { key }, body: { games: [aGame(t, player)] } },
    ],
    says: [401],
  },
  'the operator': {
    opens: 'operator key',
    knock: asBearer('GET', '/api/operator/machines/'),
    says: [401],
  },
  'a restore': {
    opens: 'operator key',
    knock: asBearer('POST', '/api/operator/restores/'),
    says: [401],
  },
  'the callback of Google': {
    opens: 'Google code',
    knock: inBody('auth/google/callback', (code) => ({ code })),
    says: [400],
  },
  'the password': {
    // No secret of this list is a password; the door is here to be knocked at.
    opens: 'session id',
    knock: inBody('auth/login', (password) => ({ email, password })),
    says: [400],
  },
};

describe.each(Object.entries(DOORS))(
  'P1 P2 P20 P23 P29c P31a: %s',
  (_name, { opens, knock, says }) => {
    test.each(KINDS.filter((kind) => kind !== opens))('stays shut for a %s', async (kind) => {
      const before = await t.db.selectFrom('sessions').select('id').execute();
      const answer = await t.call(...knock(secrets[kind]));
      expect(says).toContain(answer.status);
      expect(JSON.stringify(answer.body)).not.toMatch(/access|refresh|uuid|key"/);
      expect(await t.db.selectFrom('sessions').select('id').execute()).toEqual(before);
    });
  },
);

test('P1 P2 P20 P23 P31a: after all that, each still opens its own door', async () => {
  await issue();
  const opened: Record<string, number> = {};
  for (const [name, { opens, knock }] of Object.entries(DOORS))
    if (opens !== 'Google code' && opens !== 'session id')
      opened[name] = (await t.call(...knock(secrets[opens]))).status;
  expect(opened).toEqual(Object.fromEntries(Object.keys(opened).map((name) => [name, 200])));
  expect(Object.keys(opened)).toHaveLength(10);
});

test('0.10 P31a: a code on a phone opens nothing but a greeting at a machine', async () => {
  const code = secrets['player code'];
  for (const path of [
    `/api/users/${code}/`,
    `/api/users/profile/${code}/`,
    `/api/machine/players/${code}/`,
  ])
    expect([401, 404]).toContain((await t.call('GET', path)).status);
});
