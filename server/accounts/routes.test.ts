import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SERVER_ERROR } from '#contract/wire/errors.ts';
import { makeIp, makePlayer, makeSession } from '#testing/app/make.ts';
import { testApp, withApp } from '#testing/app/test-app.ts';

const t = withApp();
let as: { access: string };
beforeAll(async () => {
  as = await makeSession(t, await makePlayer(t));
});

const CALLS: [method: string, path: string, body: Record<string, unknown>][] = [
  ['POST', 'auth/check-email/', { email: 'ann@example.com' }],
  ['POST', 'auth/register/', { email: 'ann@example.com' }],
  ['POST', 'auth/login/', { email: 'ann@example.com', password: 'quiet orange kite' }],
  ['POST', 'auth/token/refresh/', { refresh: 'bbr_x' }],
  ['POST', 'auth/logout/', { refresh: 'bbr_x' }],
  ['POST', 'auth/request-password-reset/', { email: 'ann@example.com' }],
  [
    'POST',
    'auth/reset-password/',
    { email: 'ann@example.com', token: 'x', password: 'quiet kite' },
  ],
  ['POST', 'resend-verification/', { email: 'ann@example.com' }],
  ['POST', 'verify-email/', { email: 'ann@example.com', code: '123456' }],
  ['PATCH', 'profile/', { jersey_number: '7' }],
];
const send = (method: string, path: string, body: unknown, headers?: Record<string, string>) =>
  t.call(method, `/api/users/${path}`, {
    body,
    ip: makeIp(),
    ...(path === 'profile/' ? { as } : {}),
    ...(headers === undefined ? {} : { headers }),
  });

const detail = z.strictObject({ detail: z.string().min(1) });
const lists = z.record(z.string(), z.array(z.string().min(1)).min(1));
/** Either `detail` or lists of messages (API-02). */
const expectShape = (body: unknown) =>
  expect(
    detail.safeParse(body).success !== lists.safeParse(body).success,
    JSON.stringify(body),
  ).toBe(true);

async function stored() {
  const count = async (table: 'players' | 'sessions' | 'codes' | 'kept_mails' | 'tombstones') =>
    (await t.db.selectFrom(table).selectAll().execute()).length;
  return [
    await t.db.selectFrom('players').selectAll().execute(),
    await count('sessions'),
    await count('codes'),
    await count('kept_mails'),
    await count('tombstones'),
  ];
}

const deep = `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`;
const MALFORMED: [what: string, status: number, body: unknown, headers?: Record<string, string>][] =
  [
    ['no body', 400, undefined],
    ['an empty body', 400, ''],
    ['null', 400, null],
    ['a number', 400, 17],
    ['a text', 400, '"text"'],
    ['a list', 400, []],
    ['broken JSON', 400, '{"email": '],
    ['two values', 400, '{} {}'],
    ['deeply nested JSON', 400, deep],
    [
      'keys that would pollute prototypes',
      400,
      '{"__proto__": {"admin": true}, "constructor": {"prototype": {}}}',
    ],
    ['a body over 16 KiB', 413, { padding: 'x'.repeat(17_000) }],
    [
      'a form',
      415,
      'email=ann@example.com',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['plain text', 415, '{"email":"ann@example.com"}', { 'content-type': 'text/plain' }],
    ['a multipart form', 415, '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['no content type', 415, '{"email":"ann@example.com"}', { 'content-type': '' }],
    ['a compressed body', 415, '{}', { 'content-encoding': 'gzip' }],
  ];

describe('malformed bodies', () => {
  test.each(CALLS)(
    '%s %s refuses each malformed body in a shape of API-02, and stores nothing',
    async (method, path) => {
      const before = await stored();
      for (const [what, status, body, headers] of MALFORMED) {
        const answer = await send(method, path, body, headers);
        expect([what, answer.status]).toEqual([what, status]);
        expectShape(answer.body);
        expect(answer.headers['content-type']).toContain('application/json');
      }
      expect(await stored()).toEqual(before);
    },
  );

  test.each(CALLS)(
    '%s %s names each field with a wrong type, and stores nothing',
    async (method, path, good) => {
      const before = await stored();
      for (const field of Object.keys(good))
        for (const value of [null, 17, true, [], {}, 'x'.repeat(12_000), { $ne: null }]) {
          // Of any length, a wrong password is a wrong one.
          if (path === 'auth/login/' && field === 'password' && typeof value === 'string') continue;
          const answer = await send(method, path, { ...good, [field]: value });
          expect([field, value, answer.status]).toEqual([field, value, 400]);
          expect(Object.keys(answer.body)).toEqual([field]);
          expectShape(answer.body);
        }
      expect(await stored()).toEqual(before);
    },
  );

  test.each(CALLS.filter(([method]) => method === 'POST'))(
    '%s %s names each missing field',
    async (method, path, good) => {
      const answer = await send(method, path, {});
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body).sort()).toEqual(Object.keys(good).sort());
      expect(new Set(Object.values(answer.body).flat())).toEqual(
        new Set(['This field is required.']),
      );
    },
  );
});

describe('API-06: no path below users ever answers 404', () => {
  const PATHS: [path: string, method: string][] = [
    ...CALLS.map(([method, path]): [string, string] => [path, method]),
    ['profile/', 'GET'],
    ['profile/', 'DELETE'],
    ['profile/new-code/', 'POST'],
    ['profile/export/', 'GET'],
    ['sessions/', 'GET'],
    ['sessions/', 'DELETE'],
    ['sessions/5f6f4f0e-9f0a-4f1d-8a3b-7c11b3a9a1de/', 'DELETE'],
  ];

  test.each(PATHS)(
    '%s (%s): a wrong method gets 405, a missing slash 308',
    async (path, method) => {
      const wrong = await t.call('PUT', `/api/users/${path}`, { as, body: {} });
      expect(wrong.status).toBe(405);
      expect(String(wrong.headers.allow)).toContain(method);
      const url = `/api/users/${path.replace(/\/$/, '')}`;
      const slash = await t.call(method, url, { as, ...(method === 'GET' ? {} : { body: {} }) });
      expect([slash.status, slash.headers.location]).toEqual([308, `/api/users/${path}`]);
    },
  );
});

describe('P36: calls from other sites', () => {
  test.each(CALLS)(
    '%s %s is refused from another origin, and accepted from ours',
    async (method, path, body) => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { cookie: 'csrftoken=one', 'x-csrftoken': 'another' },
      ] as Record<string, string>[]) {
        const answer = await send(method, path, body, headers);
        expect([JSON.stringify(headers), answer.status]).toEqual([JSON.stringify(headers), 403]);
        expectShape(answer.body);
      }
      for (const headers of [
        { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
        { cookie: 'csrftoken=one', 'x-csrftoken': 'one' },
        { cookie: 'csrftoken=one' },
      ] as Record<string, string>[])
        expect((await send(method, path, body, headers)).status).not.toBe(403);
    },
  );

  test('a GET changes nothing', async () => {
    const before = await stored();
    for (const [, path] of CALLS) await t.call('GET', `/api/users/${path}`, { as });
    await t.call('GET', '/api/users/profile/new-code/', { as });
    expect(await stored()).toEqual(before);
  });
});

test('P45: an unexpected error returns the fixed sentence and a request id, and no more', async () => {
  const broken = await testApp();
  try {
    await broken.pool.query('alter table players rename column avatar_color to gone');
    const register = await broken.call('POST', '/api/users/auth/register/', {
      body: { email: 'ann@example.com' },
    });
    expect([register.status, register.body]).toEqual([500, { detail: SERVER_ERROR }]);
    expect(register.headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
  } finally {
    await broken.close();
  }
});

test('GET /api/config/ has what pages need, and no secret', async () => {
  const { status, body } = await t.call('GET', '/api/config/');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    brand: 'Backboard',
    support_email: 'support@backboard.example',
    min_age: 13,
    adult_age: 18,
    google: null,
  });
  for (const secret of t.config.secret_keys) expect(JSON.stringify(body)).not.toContain(secret);
});

test('API-05: OpenAPI lists every response of each call, and 401 only for calls with a session', async () => {
  const { paths = {} } = t.app.swagger();
  for (const [method, path] of CALLS) {
    const operation: unknown = Reflect.get(paths[`/api/users/${path}`] ?? {}, method.toLowerCase());
    expect(operation, path).toBeDefined();
    const { responses } = operation as { responses: object };
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['400', '403', '413', '415', '429', '500', '503']),
    );
    const atStake = ['auth/token/refresh/', 'profile/'].includes(path);
    expect([path, '401' in responses]).toEqual([path, atStake]);
  }
});
