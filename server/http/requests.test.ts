import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { pagePolicy, screenHeaders } from './headers.ts';
import { offerCsrfToken } from './requests.ts';

const CHECK = '/api/users/auth/check-email/';
const body = { email: 'somebody@example.com' };

const t = withApp();

describe('P36 a request from another site changes nothing', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a request that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['another csrftoken', { cookie: 'csrftoken=one', 'x-csrftoken': 'two' }],
  ])('%s is refused', async (_, headers) => {
    const answer = await t.call('POST', CHECK, { body, headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ detail: expect.any(String) });
  });

  test.each([
    ['our own origin', { origin: 'http://localhost:3000' }],
    ['the same csrftoken', { cookie: 'csrftoken=one', 'x-csrftoken': 'one' }],
    [
      'a sibling host’s csrftoken too',
      { cookie: 'csrftoken=its; csrftoken=a', 'x-csrftoken': 'a' },
    ],
    ['a cookie without the header', { cookie: 'csrftoken=one' }],
    ['the header without a cookie', { 'x-csrftoken': 'one' }],
  ])('%s is accepted', async (_, headers) => {
    expect((await t.call('POST', CHECK, { body, headers })).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of %s gets 415',
    async (type) => {
      const answer = await t.call('POST', CHECK, {
        body: JSON.stringify(body),
        headers: { 'content-type': type },
      });
      expect(answer.status).toBe(415);
    },
  );
});

test('P36: the csrftoken cookie is set once, for its own site only, and grants nothing', async () => {
  const page = Fastify();
  page.get('/:tls', (request, reply) => {
    const secure = Object(request.params).tls === 'https';
    offerCsrfToken(request, reply, { public_url: `${secure ? 'https' : 'http'}://play.example` });
    return reply.send('');
  });
  const offered = async (url: string, cookie?: string) =>
    (await page.inject({ url, headers: cookie === undefined ? {} : { cookie } })).headers[
      'set-cookie'
    ];
  expect(await offered('/https')).toMatch(/^csrftoken=[\w-]{22}; Path=\/; SameSite=Lax; Secure$/);
  expect(await offered('/http')).toMatch(/^csrftoken=[\w-]{22}; Path=\/; SameSite=Lax$/);
  expect(await offered('/https', 'csrftoken=mine')).toBeUndefined();
  await page.close();
  const headers = { cookie: 'csrftoken=one', 'x-csrftoken': 'one' };
  expect((await t.call('GET', '/api/users/profile/', { headers })).status).toBe(401);
});

describe('P47 a foreign Host is refused', () => {
  const paths = [
    '/dev/mailbox/api/',
    '/dev/court/setup/',
    '/api/config/',
    '/',
    '/health/live',
    '/api/nothing/',
  ];
  const status = async (app: TestApp, host: string, path: string) =>
    (await app.call('GET', path, { headers: { host } })).status;

  test.each(['evil.example', 'evil.example:3000', 'localhost.evil.example', '10.0.0.7', 'x'])(
    'Host %s gets 421',
    async (host) => {
      for (const path of paths) expect([path, await status(t, host, path)]).toEqual([path, 421]);
      const change = await t.call('POST', CHECK, { body, headers: { host } });
      expect(change.status).toBe(421);
      expect(change.body.detail).toContain('PUBLIC_URL');
    },
  );

  test.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:8080', '[::1]:3000', 'app.localhost'])(
    'Host %s counts as this computer',
    async (host) => {
      expect(await status(t, host, '/api/config/')).toBe(200);
    },
  );

  test('the host of PUBLIC_URL is accepted, and in production every host, because the proxy checks it', async () => {
    const open = await t.sibling({ public_url: 'http://arcade.lan:3000' });
    expect(await status(open, 'arcade.lan:3000', '/api/config/')).toBe(200);
    expect(await status(open, 'evil.example', '/api/config/')).toBe(421);
    const production = await t.sibling({ production: true });
    expect(await status(production, '10.0.0.7', '/health/live')).toBe(200);
  });
});

test('P33a the headers depend on the route, not on the spelling of the address', async () => {
  const api = "default-src 'none'; frame-ancestors 'none'";
  for (const path of ['/api/config/', '/%61pi/config/', '/api/nothing/', '/%61pi/nothing/']) {
    const { headers } = await t.call('GET', path);
    expect([path, headers['content-security-policy']]).toEqual([path, api]);
    expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
  }
  expect((await t.call('GET', '/%61pi/config')).headers.location).toBe('/%61pi/config/');
  for (const path of ['/api/docs/', '/%61pi/docs/']) {
    const { headers } = await t.call('GET', path);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  }
});

test('P35: no other origin gets CORS headers', async () => {
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };
  for (const [method, path] of [
    ['OPTIONS', CHECK],
    ['OPTIONS', '/api/users/profile/'],
    ['GET', '/api/config/'],
    ['GET', '/api/users/profile/'],
    ['GET', '/api/machine/'],
    ['POST', CHECK],
  ] as const)
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example']) {
      const answer = await t.call(method, path, { headers: { ...headers, origin } });
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      expect([path, names]).toEqual([path, []]);
      if (method === 'OPTIONS') expect(answer.status).toBe(405);
    }
});

describe('P37 sizes', () => {
  test('a body over 16 KiB gets 413', async () => {
    const status = async (bytes: number) =>
      (await t.call('POST', CHECK, { body: JSON.stringify(body).padEnd(bytes) })).status;
    expect([await status(16 * 1024), await status(16 * 1024 + 1)]).toEqual([200, 413]);
  });

  test('JSON nested more than 20 levels deep gets 400', async () => {
    const nested = (depth: number) =>
      t.call('POST', CHECK, { body: `{"email":${'['.repeat(depth)}1${']'.repeat(depth)}}` });
    // The object around the value counts as one level.
    expect((await nested(19)).body).toEqual({ email: [expect.any(String)] });
    const answer = await nested(20);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain('nested');
  });

  test('an address over 4 KiB gets 414', async () => {
    const status = async (length: number) =>
      (await t.call('GET', '/api/config/?x='.padEnd(length, 'y'))).status;
    expect([await status(4096), await status(4097)]).toEqual([200, 414]);
  });

  test('headers over 16 KiB get 431', async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' });
    const address = t.app.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /health/live HTTP/1.1\r\nhost: x\r\nx-filler: ${'y'.repeat(20_000)}\r\n\r\n`);
    const [chunk] = await new Promise<Buffer[]>((done) =>
      socket.once('data', (data) => done([data])),
    );
    socket.destroy();
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 431/);
    expect(String(chunk)).toContain('{"detail":"The headers are too large."}');
    // P33
    expect(String(chunk)).toMatch(/^x-content-type-options: nosniff\r$/m);
    expect(String(chunk)).toMatch(/^cache-control: no-store\r$/m);
  });

  test('a compressed body gets 415', async () => {
    const answer = await t.call('POST', CHECK, { body, headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(415);
  });
});

describe('P45 errors have one of three shapes', () => {
  test.each([
    ['broken JSON', '{"email":'],
    ['a prototype in the JSON', '{"__proto__":{"admin":true},"email":"a@example.com"}'],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['nothing', ''],
  ])('%s gets 400', async (_, text) => {
    const answer = await t.call('POST', CHECK, { body: text });
    expect(answer.status).toBe(400);
    const [value] = Object.values(answer.body);
    expect(typeof value === 'string' || Array.isArray(value)).toBe(true);
  });

  test('every response has a request id; the caller’s is kept if it is plain', async () => {
    expect((await t.call('GET', '/api/config/')).headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
    const own = await t.call('GET', '/api/config/', {
      headers: { 'x-request-id': 'proxy-12345678' },
    });
    expect(own.headers['x-request-id']).toBe('proxy-12345678');
  });
});

describe('P32 P33 headers', () => {
  test('an API response is not stored and may load nothing', async () => {
    const { headers } = await t.call('GET', '/api/config/');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toBe(
      'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
    );
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test('over TLS, responses set HSTS', async () => {
    const secure = await testApp({ public_url: 'https://play.example.com' });
    const { headers } = await secure.call('GET', '/api/config/');
    expect(headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
    const page = await secure.call('GET', '/api/docs');
    expect(page.headers['content-security-policy']).toContain('upgrade-insecure-requests');
    await secure.close();
  });

  test('a page allows our own scripts and styles only, with Trusted Types', async () => {
    const policy = String((await t.call('GET', '/api/docs')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain(
      "require-trusted-types-for 'script'; trusted-types service-worker work",
    );
    for (const part of ['base-uri', 'object-src', 'frame-ancestors'])
      expect(policy).toContain(`; ${part} 'none';`);
    for (const part of ['font-src', 'connect-src', 'manifest-src', 'form-action'])
      expect(policy).toContain(`; ${part} 'self';`);
    expect(policy).toContain("; img-src 'self' data:;");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('the policy allows the style sheet inside a page by its SHA-256, and no other inline style', () => {
    const policy = pagePolicy({ public_url: 'http://arcade.lan:3000' }, ['a{}']);
    const hash = 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=';
    expect(policy).toContain(`; style-src 'self' '${hash}'; img-src`);
  });

  test('the screen loads nothing foreign, and nothing over plain http on a site with TLS', () => {
    const policyAt = (public_url: string) =>
      screenHeaders({ public_url })['content-security-policy'];
    const plain = policyAt('http://arcade.lan:3000');
    expect(plain).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(plain).toContain("require-trusted-types-for 'script'");
    expect(plain).not.toMatch(/unsafe|\*|https?:|upgrade/);
    expect(policyAt('https://play.example.com')).toBe(`${plain}; upgrade-insecure-requests`);
  });
});

test.each([
  ['/api/users/%zz/', 400],
  [`/api/users/sessions/${'x'.repeat(4_096)}/`, 414],
])(
  'API-02: an address that cannot be decoded gets an error of the usual shape (%#)',
  async (url, status) => {
    const answer = await t.call('DELETE', url);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ detail: expect.any(String) });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
  },
);

test('API-01: an API path without its slash is redirected with its query', async () => {
  const answer = await t.call('GET', '/api/config?x=1');
  expect(answer.status).toBe(308);
  expect(answer.headers.location).toBe('/api/config/?x=1');
});

test('a wrong method on a users path gets 405, never 404', async () => {
  for (const [method, path] of [
    ['GET', CHECK],
    ['PUT', '/api/users/profile/'],
    ['POST', '/api/users/profile/'],
  ] as const) {
    const answer = await t.call(method, path, method === 'GET' ? {} : { body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBeDefined();
  }
});
