import { beforeAll, expect, test } from 'vitest';
import { testApp, withApp } from '#testing/app/test-app.ts';
import { exampleOf, fieldsOf, fits, ruleOf, type Schema } from './schema.ts';

type Operation = {
  summary?: string;
  security?: unknown[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};

const t = withApp();
let operations: [name: string, operation: Operation][];
let page: string;
beforeAll(async () => {
  const api = (await t.call('GET', '/api/openapi.json')).body;
  operations = Object.entries<Record<string, Operation>>(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
  page = (await t.call('GET', '/api/docs')).body;
});

test('the description is the same for every process', async () => {
  const other = await t.sibling();
  const [one, two] = [
    await t.call('GET', '/api/openapi.json'),
    await other.call('GET', '/api/openapi.json'),
  ];
  expect(one.status).toBe(200);
  expect(JSON.stringify(two.body)).toBe(JSON.stringify(one.body));
});

test('P39a: the description is compressed, and a network that asks too often has to wait', async () => {
  const read = (url: string, remoteAddress = '198.51.100.7') =>
    t.app.inject({ url, remoteAddress, headers: { 'accept-encoding': 'gzip' } });
  for (const path of ['/api/openapi.json', '/api/docs']) {
    const { statusCode, headers } = await read(path);
    expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip']);
  }
  // A client refuses an encoding by the weight 0.
  const plain = await t.app.inject({
    url: '/api/docs',
    remoteAddress: '198.51.100.9',
    headers: { 'accept-encoding': 'gzip; q=0, br;q=0' },
  });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const statuses = new Set<number>();
  for (let n = 0; n < 100; n += 1) statuses.add((await read('/api/openapi.json')).statusCode);
  expect(statuses).toEqual(new Set([200, 429]));
  expect((await read('/api/docs')).headers['retry-after']).toBe('1');
  expect((await read('/api/docs', '198.51.100.8')).statusCode).toBe(200);
});

test.each([
  'POST /api/users/auth/login/',
  'POST /api/users/auth/register/',
  'POST /api/users/auth/check-email/',
  'POST /api/users/resend-verification/',
  'POST /api/users/verify-email/',
  'POST /api/users/auth/token/refresh/',
  'GET /api/users/profile/',
  'PATCH /api/users/profile/',
  'POST /api/users/auth/request-password-reset/',
  'POST /api/users/auth/reset-password/',
  'POST /api/users/auth/google/callback/',
  'GET /api/leaderboards/user-league-stats/',
  'GET /api/achievements/',
  'GET /api/achievements/user_achievements/',
])('the page describes the call %s', (name) => {
  expect(operations.map(([known]) => known)).toContain(name);
});

test('the page shows every call with a summary, under its caller', () => {
  const sections = ['players', 'machines', 'operator', 'staff', 'screens', 'health', 'errors'];
  const starts = sections.map((id) => page.indexOf(`<section id="${id}">`));
  expect([...starts].sort((a, b) => a - b)).toEqual(starts);
  for (const [name, { summary = '' }] of operations) {
    const [method, path = ''] = name.split(' ');
    const at = page.indexOf(`<span class="method">${method}</span> <code>${path}</code>`);
    const group = /^\/api\/(\w+)\//.exec(path)?.[1] ?? path.split('/')[1];
    const place = { machine: 1, operator: 2, console: 3, screen: 4, health: 5 }[group ?? ''] ?? 0;
    expect(at, name).toBeGreaterThan(starts[place] ?? 0);
    expect(at, name).toBeLessThan(starts[place + 1] ?? 0);
    if (path.startsWith('/api/')) expect(summary, name).not.toBe('');
  }
});

test('every example fits its schema', () => {
  for (const [name, { requestBody, responses }] of operations) {
    const { 204: _nothing, ...answers } = responses;
    for (const body of [requestBody, ...Object.values(answers)]) {
      const schema = body?.content?.['application/json']?.schema;
      if (schema) expect(fits(schema, exampleOf(schema)), name).toBe(true);
    }
  }
});

test('calls that need a session are marked as such', async () => {
  for (const [name, { security = [] }] of operations) {
    const [method = '', path = ''] = name.split(' ');
    if (/^\/(api\/(machine|operator)|health)\//.test(path)) continue;
    const { status } = await t.call(method, path.replace(/\{\w+\}/g, 'x'), { body: {} });
    // An empty requirement means that visitors may call too.
    const needed = security.length > 0 && !security.some((one) => JSON.stringify(one) === '{}');
    expect(status === 401, name).toBe(needed);
  }
});

test.each([
  ['get-api-users-profile', 'Authorization: Bearer &lt;access token&gt;'],
  ['post-api-machine-games', 'Authorization: Bearer &lt;machine key&gt;'],
  ['get-api-console-me', 'Cookie: &lt;session cookie&gt;'],
  ['get-api-screen', 'Authorization: Bearer &lt;screen token&gt;'],
  ['post-api-screen-pair', null],
])('the command of %s has the key of its caller', (id, key) => {
  const section = page.slice(page.indexOf(`<section id="${id}">`)).split('</section>')[0] ?? '';
  const given = /-H &#39;((?:Authorization|Cookie): .*?)&#39;/.exec(section)?.[1] ?? null;
  expect(given).toBe(key);
});

test('the page has no script and nothing inline, and gets the policy of all pages', async () => {
  const { headers } = await t.call('GET', '/api/docs');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).toContain("style-src 'self';");
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
  expect(await t.call('GET', style)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/css; charset=utf-8' },
  });
});

test('every link points to an anchor of the page, and every id is unique', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

test('API responses keep the policy of the API', async () => {
  const { headers } = await t.call('GET', '/api/config/');
  expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('text from the configuration is not markup', async () => {
  const other = await testApp({ brand: '<b>&"' });
  const { body } = await other.call('GET', '/api/docs/');
  await other.close();
  expect(body).toContain('<h1>&lt;b&gt;&amp;&quot; API</h1>');
  expect(body).not.toContain('<b>');
});

test.each<[Schema, string]>([
  [{ type: 'string' }, 'text'],
  [
    { anyOf: [{ type: 'string', minLength: 3, maxLength: 30 }, { type: 'null' }] },
    'text, 3 to 30 characters, or null',
  ],
  [{ type: 'string', format: 'uuid', pattern: '^x$' }, 'UUID'],
  [{ type: 'integer', minimum: 0, maximum: 99 }, 'whole number, 0 to 99'],
  [
    { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    'whole number',
  ],
  [{ type: 'array', items: {}, minItems: 1, maxItems: 500 }, 'list, 1 to 500 items'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" or "b"'],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'text, or true or false'],
  [{}, 'anything'],
])('the schema %j is described as %s', (schema, words) => {
  expect(ruleOf(schema)).toBe(words);
});

test('a field inside a list or an alternative is named by its path', () => {
  const one = (kind: string): Schema => ({
    type: 'object',
    properties: { kind: { type: 'string', enum: [kind] } },
    required: ['kind'],
  });
  const schema: Schema = {
    type: 'object',
    properties: { results: { type: 'array', items: { oneOf: [one('a'), one('b')] } } },
  };
  expect(fieldsOf(schema)).toEqual([
    { name: 'results', required: false, rule: 'list' },
    { name: 'results[].kind', required: true, rule: '"a" or "b"' },
  ]);
  expect(exampleOf(schema)).toEqual({ results: [{ kind: 'a' }, { kind: 'b' }] });
});
