import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import { aGame, makeMachine, makePlayer } from '#testing/app/make.ts';
import { OPERATOR_KEY, testApp } from '#testing/app/test-app.ts';
import { coarseNetworkOf } from './http/limits.ts';
import { EVENTS } from './http/security-log.ts';
import { maskEmail, serverLogger } from './log.ts';

test('P42 a masked address keeps only its first letters', () => {
  expect(maskEmail('jordan@dunk.example')).toBe('j***@d…');
});

test('P42 a log line is JSON in UTC, and a hostile string cannot start another line', () => {
  const lines: string[] = [];
  const log = serverLogger(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  log.info({ path: 'x\n{"level":60}\u001b[2J' }, 'request');
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(maya@example.com) already exists.',
  });
  log.error({ err: error }, 'unexpected error');
  // A mail server's error can contain the address; Fastify adds the request.
  const answered = new Error('550 5.1.1 <maya.banks@example.com>: user unknown');
  log.error({ err: answered, req: { remoteAddress: '203.0.113.7' }, res: {} }, 'not sent');
  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain('m***@e…');
  expect(lines[2]).not.toContain('203.0.113.7');
  for (const line of lines) {
    expect([...line.trimEnd()].filter((letter) => letter < ' ')).toEqual([]);
    expect(JSON.parse(line).time).toMatch(/Z$/);
  }
  expect(lines.join('')).not.toContain('maya');
});

test('P42: the network of an address is its /24 or its /48', () => {
  expect(coarseNetworkOf('203.0.113.77')).toBe('203.0.113.0/24');
  expect(coarseNetworkOf('::ffff:203.0.113.77')).toBe('203.0.113.0/24');
  expect(coarseNetworkOf('2001:db8:a:b:c::1')).toBe('2001:db8:a::/48');
  expect(coarseNetworkOf('no address')).toBe('unknown');
});

test('P42: one function logs security events, and each event has a row in the documents', async () => {
  const operating = readFileSync('docs/operating.md', 'utf8');
  for (const event of Object.keys(EVENTS))
    expect([event, operating.includes(`\`${event}\``)]).toEqual([event, true]);
  const others = [];
  for await (const path of glob('server/**/*.ts'))
    if (!path.endsWith('.test.ts') && path !== 'server/http/security-log.ts')
      if (/\blog\.\w+\(\s*\{[^}]*\bevent\b/.test(readFileSync(path, 'utf8'))) others.push(path);
  expect(others).toEqual([]);
});

test('P42: the log says who did what, from where and with which result, and contains no secret', async () => {
  const lines: string[] = [];
  const t = await testApp({}, serverLogger('debug', { write: (line) => void lines.push(line) }));
  const ip = '203.0.113.77';
  const post = (path: string, body: unknown) => t.call('POST', `/api/users/${path}/`, { body, ip });
  const email = 'maya.banks@dunkhouse.example';
  const [password, wrong, next] = ['quiet orange kite', 'a wrong guess here', 'another quiet kite'];
  const own = (as: { access: string }, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string) =>
    t.call(method, `/api/users/${path}/`, { as, ip });

  await t.call('GET', '/health/ready', { ip });
  await t.call('POST', `/${email}/x`, { ip });
  await post('auth/check-email', { email });
  await post('auth/register', { email });
  await post('resend-verification', { email });
  const code = await codeFor(t, email);
  await post('verify-email', { email, code: code === '123456' ? '654321' : '123456' });
  const { tokens } = (await post('verify-email', { email, code })).body;
  await t.call('PATCH', '/api/users/profile/', {
    as: tokens,
    body: { date_of_birth: '1997-03-08', username: 'Maya_B', password },
    ip,
  });
  await post('auth/login', { email, password: wrong });
  const { refresh, access } = (await post('auth/login', { email, password })).body;
  const here = { access };
  await own(here, 'POST', 'profile/new-code');
  await own(here, 'GET', 'profile/export');
  await own(here, 'DELETE', 'sessions');
  const other = (await post('auth/login', { email, password })).body;
  await post('auth/logout', { refresh: other.refresh });
  await post('auth/token/refresh', { refresh: other.refresh });
  await post('auth/token/refresh', { refresh: 'bbr_made-up' });
  const rotated = (await post('auth/token/refresh', { refresh, rotate: true })).body;
  t.clock.advance(61_000);
  await post('auth/token/refresh', { refresh, rotate: true });
  await post('auth/google/callback', { code: '4/0AeanS' });
  await post('auth/request-password-reset', { email });
  await expect.poll(async () => (await t.mails(email))[0]?.text ?? '').toContain('token=');
  const { token } = await linkFor(t, email);
  await t.call('GET', `/reset-password?email=${email}&token=${token}`, { ip });
  await t.call('GET', '/auth/google/callback?code=4/0AeanS&state=n0nce', { ip });
  await post('auth/reset-password', { email, token, password: next });
  await post('auth/reset-password', { email, token, password: next });
  for (let n = 0; n < 6; n += 1) await post('auth/login', { email, password: wrong });
  const [machine, revoked] = [await makeMachine(t), await makeMachine(t)];
  const { key: replaced } = await makeMachine(t, { name: 'Lost' });
  await t.call('POST', '/api/operator/machines/revoke/', {
    as: { key: OPERATOR_KEY },
    body: { machine: revoked.name },
    ip,
  });
  await sql`delete from machine_keys using machines
    where machines.id = machine_id and name = 'Lost'`.execute(t.db);
  const player = await makePlayer(t);
  for (const key of [machine.key, revoked.key, replaced, OPERATOR_KEY])
    await t.call('POST', '/api/machine/games/', {
      as: { key },
      body: { games: [aGame(t, player)] },
      ip,
    });
  await t.call('GET', '/api/operator/machines/', { as: { key: machine.key }, ip });
  await t.call('POST', '/api/operator/players/delete/', {
    as: { key: OPERATOR_KEY },
    body: { email },
    ip,
  });
  await t.close();

  const logged = lines.map((line) => JSON.parse(line));
  const events = logged.filter(({ event }) => event !== undefined);
  const refusals = logged.filter(({ event }) => event === 'machine_refused');
  expect(refusals.map(({ reason }) => reason)).toEqual(['revoked', 'unknown', 'malformed']);
  const seen = new Set(events.map(({ event, result }) => `${event} ${result}`));
  for (const event of [
    ...['check_email ok', 'registered ok', 'code_requested ok', 'code_refused refused'],
    ...['verified ok', 'password_changed ok', 'password_wrong refused', 'signed_in ok'],
    ...['code_replaced ok', 'data_exported ok', 'sessions_ended ok', 'signed_out ok'],
    ...['refresh_refused refused', 'refresh_reuse refused', 'google_refused refused'],
    ...['reset_requested ok', 'password_reset ok', 'reset_refused refused', 'throttled refused'],
    ...['machine_refused refused', 'machine_revoked ok', 'operator_refused refused'],
    'account_deleted ok',
  ])
    expect(seen).toContain(event);
  for (const event of events)
    expect(event).toMatchObject({ network: '203.0.113.0/24', actor: expect.any(String) });
  const limits = events.filter(({ event }) => event === 'throttled');
  expect(limits.map(({ reason }) => reason)).toEqual(['code-pause', 'login-here']);
  expect(limits[1]).toMatchObject({ actor: 'visitor', email: 'm***@d…' });
  const healthy = logged.filter(({ path }) => path === '/health/ready');
  expect(healthy.map(({ level }) => level)).toEqual([20]);

  const all = lines.join('');
  for (const secret of [
    ...[email, 'maya.banks', 'dunkhouse', password, wrong, next, code, token, '1997-03-08'],
    ...[tokens.access, tokens.refresh, refresh, rotated.refresh, rotated.access, machine.key],
    ...[revoked.key, replaced, ip, '127.0.0.1'],
    ...[OPERATOR_KEY, '4/0AeanS', 'Bearer', ...t.config.secret_keys],
  ])
    expect([secret, all.includes(secret)]).toEqual([secret, false]);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
});
