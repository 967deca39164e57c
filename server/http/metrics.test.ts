import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { aGame, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { OPERATOR_KEY, testApp, withApp } from '#testing/app/test-app.ts';
import { openEvents } from '#testing/event-stream.ts';
import { VERSION } from './version.ts';

const t = withApp({ trusted_proxies: ['127.0.0.1'] });

const read = async (): Promise<string> => (await t.call('GET', '/metrics')).body;
async function sample(name: string): Promise<number | undefined> {
  const line = (await read()).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

test.each([
  ['127.0.0.1', {}, 200],
  ['127.8.9.1', {}, 200],
  ['::1', {}, 200],
  ['::ffff:127.0.0.1', {}, 200],
  ['10.0.0.1', {}, 403],
  ['192.168.1.127', {}, 403],
  ['2001:db8::127.0.0.1', {}, 403],
  // A proxy on this machine forwards a remote caller.
  ['127.0.0.1', { 'x-forwarded-for': '10.0.0.1' }, 403],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 403],
  ['127.0.0.1', { forwarded: 'for=127.0.0.1' }, 403],
  ['10.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, 403],
  ['10.0.0.1', { authorization: `Bearer ${OPERATOR_KEY}` }, 200],
  ['127.0.0.1', { 'x-forwarded-for': '10.0.0.1', authorization: `Bearer ${OPERATOR_KEY}` }, 200],
  ['10.0.0.1', { authorization: `Bearer ${OPERATOR_KEY}x` }, 403],
])('a caller at %s with %j gets %i', async (ip, headers, status) => {
  const answer = await t.call('GET', '/metrics', { ip, headers });
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body).toEqual({ detail: expect.any(String) });
  else {
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('a player’s token and a machine’s key are refused', async () => {
  const { access } = await makeSession(t, await makePlayer(t));
  const { key } = await makeMachine(t);
  for (const as of [{ access }, { key }])
    expect((await t.call('GET', '/metrics', { ip: '10.0.0.1', as })).status).toBe(403);
});

test('every line follows the Prometheus text format', async () => {
  await t.call('GET', '/api/users/profile/');
  const lines = (await read()).split('\n').filter(Boolean);
  const names = new Set<string>();
  let current = '';
  for (const line of lines) {
    const [, kind, name = ''] = /^# (HELP|TYPE) (\w+) /.exec(line) ?? [];
    if (kind === 'HELP') {
      expect(names.has(name), `${name} twice`).toBe(false);
      names.add(name);
      current = name;
    } else if (kind === 'TYPE') expect(line).toMatch(/ (counter|gauge|histogram)$/);
    else {
      expect(line).toMatch(
        /^\w+(\{(\w+="([^"\\\n]|\\.)*",?)+\})? -?(\d+(\.\d+)?(e[+-]?\d+)?|\+Inf)$/,
      );
      expect(line.startsWith(current), line).toBe(true);
    }
  }
  for (const name of [
    'http_request_duration_seconds',
    'nodejs_eventloop_delay_seconds',
    'backboard_database_connections',
    'backboard_event_streams',
    'backboard_games_total',
    'backboard_mails_waiting',
    'process_resident_memory_bytes',
  ])
    expect(names).toContain(name);
});

test('the metrics include the version', async () => {
  expect(await sample(`backboard_build_info{version="${VERSION}"}`)).toBe(1);
});

test('responses are counted by route and status, never by address', async () => {
  const count = 'http_request_duration_seconds_count';
  const refused = `${count}{method="GET",route="/api/users/profile/",status="401"}`;
  const unknown = `${count}{method="none",route="none",status="404"}`;
  const before = [(await sample(refused)) ?? 0, (await sample(unknown)) ?? 0];
  await t.call('GET', '/api/users/profile/?secret=1');
  await t.call('GET', '/api/nowhere/"}\\');
  expect([await sample(refused), await sample(unknown)]).toEqual(before.map((one) => one + 1));
  const all = await read();
  expect(all).not.toContain('secret');
  expect(all).not.toContain('nowhere');
  const bucket = refused.replace('_count{', '_bucket{le="+Inf",');
  expect(await sample(bucket)).toBe(await sample(refused));
});

test('the metrics count games by status, and streams while they are open', async () => {
  const [player, machine] = [await makePlayer(t), await makeMachine(t)];
  const game = aGame(t, player);
  const games = [game, game, aGame(t, player, { score: -1 })];
  await t.call('POST', '/api/machine/games/', { body: { games }, as: { key: machine.key } });
  for (const status of ['recorded', 'duplicate', 'rejected'])
    expect(await sample(`backboard_games_total{status="${status}"}`)).toBe(1);

  expect(await sample('backboard_event_streams')).toBe(0);
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await openEvents(url, (await makeSession(t, player)).access);
  expect(await sample('backboard_event_streams')).toBe(1);
  stream.close();
  await expect.poll(() => sample('backboard_event_streams'), { timeout: 15_000 }).toBe(0);
});

test('every figure in the dashboard and the alert rules exists, with its labels', async () => {
  // Counters have no sample before the first game and mail.
  vi.spyOn(t.mail, 'figures').mockResolvedValueOnce({ waiting: 0, attempts: { sent: 1 } });
  const [player, machine] = [await makePlayer(t), await makeMachine(t)];
  const games = [aGame(t, player)];
  await t.call('POST', '/api/machine/games/', { body: { games }, as: { key: machine.key } });
  const text = await read();
  const folder = join(import.meta.dirname, '../../deploy/grafana');
  const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8'));
  const alerts = await readFile(join(folder, 'alerts.yaml'), 'utf8');
  const expressions: string[] = [
    ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    ),
    ...[...alerts.matchAll(/expr: (.+)/g)].map(([, expr]) => expr),
  ];
  expect(expressions.length).toBeGreaterThan(15);
  const names = /\b((?:backboard|http|nodejs|process)_\w+)(\{[^}]*\})?/g;
  for (const expression of expressions)
    for (const [, name = '', selector = ''] of expression.matchAll(names)) {
      const figure = name.replace(/_(count|bucket|sum)$/, '');
      expect(text, expression).toMatch(new RegExp(`^# TYPE (${name}|${figure}) `, 'm'));
      const used = [
        ...[...selector.matchAll(/(\w+)(?:=|!=|=~)"/g)].map(([, label]) => label),
        ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ];
      const sampled = text.split('\n').find((line) => line.startsWith(`${name}{`)) ?? '';
      for (const label of used) expect(sampled, expression).toContain(`${label}="`);
    }
});

test('while the database is down, metrics that do not need it are served', async () => {
  const alone = await testApp();
  const figures = vi.spyOn(alone.mail, 'figures');
  figures.mockResolvedValueOnce({ waiting: 3, attempts: { sent: 2 } });
  const before: string = (await alone.call('GET', '/metrics')).body;
  expect(before).toContain('\nbackboard_mails_waiting 3\n');
  expect(before).toContain('\nbackboard_mails_total{outcome="sent"} 2\n');
  figures.mockRejectedValue(new Error('no connection'));
  await alone.pool.end();
  const { status, body } = await alone.call('GET', '/metrics');
  expect(status).toBe(200);
  expect(body).toMatch(/^process_resident_memory_bytes \d+$/m);
  // If the outbox cannot be counted, it must not look empty.
  expect(body).not.toMatch(/^backboard_mails_waiting \d/m);
  await alone.app.close();
});

test('P49: a network that sends many wrong operator keys gets 429; the right key is never refused', async () => {
  const ip = '198.51.100.7';
  const call = (key: string, path = '/api/operator/machines/') =>
    t.call('GET', path, { ip, headers: { authorization: `Bearer ${key}` } });
  const statuses = [];
  for (let n = 0; n < 12; n += 1)
    statuses.push((await call(`guess-${n}`)).status, (await call(`guess-${n}`, '/metrics')).status);
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 10 }, () => [401, 403]).flat());
  expect(new Set(statuses.slice(20))).toEqual(new Set([429]));
  expect((await call(OPERATOR_KEY)).status).toBe(200);
  expect((await call(OPERATOR_KEY, '/metrics')).status).toBe(200);
  const elsewhere = await t.call('GET', '/api/operator/machines/', {
    ip: '198.51.100.8',
    headers: { authorization: 'Bearer guess' },
  });
  expect(elsewhere.status).toBe(401);
});

test('the connections of both pools are shown', async () => {
  for (const pool of ['signed_in', 'anonymous'])
    expect(
      await sample(`backboard_database_connections{pool="${pool}",state="idle"}`),
    ).toBeGreaterThan(0);
});
