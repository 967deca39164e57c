import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { maskEmail, serverLogger } from './log.ts';
import { codeFor, linkFor } from './testing/mails.ts';
import { aGame, makeIp, makeMachine, makePlayer } from './testing/make.ts';
import { OPERATOR_KEY, testApp } from './testing/test-app.ts';

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
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect([...line.trimEnd()].filter((letter) => letter < ' ')).toEqual([]);
    expect(JSON.parse(line).time).toMatch(/Z$/);
  }
  expect(lines[1]).not.toContain('maya');
});

test('P42: the log says who did what with which result, and contains no secret', async () => {
  const lines: string[] = [];
  const t = await testApp({}, serverLogger('info', { write: (line) => void lines.push(line) }));
  const ip = makeIp();
  const post = (path: string, body: unknown) => t.call('POST', `/api/users/${path}/`, { body, ip });
  const email = 'maya.banks@dunkhouse.example';
  const [password, wrong, next] = ['quiet orange kite', 'a wrong guess here', 'another quiet kite'];

  await post('auth/check-email', { email });
  await post('auth/register', { email });
  const code = await codeFor(t, email);
  await post('verify-email', { email, code: code === '123456' ? '654321' : '123456' });
  const { tokens } = (await post('verify-email', { email, code })).body;
  await t.call('PATCH', '/api/users/profile/', {
    as: tokens,
    body: { date_of_birth: '1997-03-08', username: 'Maya_B', password },
  });
  await post('auth/login', { email, password: wrong });
  const { refresh } = (await post('auth/login', { email, password })).body;
  const rotated = (await post('auth/token/refresh', { refresh, rotate: true })).body;
  t.clock.advance(61_000);
  await post('auth/token/refresh', { refresh, rotate: true });
  await post('auth/request-password-reset', { email });
  await expect.poll(async () => (await t.mails(email))[0]?.text ?? '').toContain('token=');
  const { token } = await linkFor(t, email);
  await t.call('GET', `/reset-password?email=${email}&token=${token}`);
  await t.call('GET', '/auth/google/callback?code=4/0AeanS&state=n0nce');
  await post('auth/reset-password', { email, token, password: next });
  const [machine, revoked] = [await makeMachine(t), await makeMachine(t)];
  const { key: replaced } = await makeMachine(t, { name: 'Lost' });
  await t.call('POST', '/api/operator/machines/revoke/', {
    as: { key: OPERATOR_KEY },
    body: { machine: revoked.name },
  });
  await sql`delete from machine_keys using machines
    where machines.id = machine_id and name = 'Lost'`.execute(t.db);
  const player = await makePlayer(t);
  for (const key of [machine.key, revoked.key, replaced, OPERATOR_KEY])
    await t.call('POST', '/api/machine/games/', {
      as: { key },
      body: { games: [aGame(t, player)] },
    });
  await t.call('GET', '/api/operator/machines/', { as: { key: machine.key } });
  await t.call('POST', '/api/operator/players/delete/', {
    as: { key: OPERATOR_KEY },
    body: { email },
  });
  await t.close();

  const logged = lines.map((line) => JSON.parse(line));
  const events = logged.map(({ event }) => event).filter(Boolean);
  const refusals = logged.filter(({ event }) => event === 'machine_refused');
  expect(refusals.map(({ reason }) => reason)).toEqual(['revoked', 'unknown', 'malformed']);
  for (const event of [
    ...['check_email', 'registered', 'code_refused', 'verified', 'password_wrong', 'signed_in'],
    ...[
      'refresh_reuse',
      'password_reset',
      'machine_refused',
      'operator_refused',
      'account_deleted',
    ],
  ])
    expect(events).toContain(event);
  const all = lines.join('');
  for (const secret of [
    ...[email, 'maya.banks', 'dunkhouse', password, wrong, next, code, token, '1997-03-08'],
    ...[tokens.access, tokens.refresh, refresh, rotated.refresh, rotated.access, machine.key],
    ...[revoked.key, replaced],
    ...[OPERATOR_KEY, '4/0AeanS', 'Bearer', ...t.config.secret_keys],
  ])
    expect([secret, all.includes(secret)]).toEqual([secret, false]);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) });
});
