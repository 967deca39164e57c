import { describe, expect, test } from 'vitest';
import { makeGames, makeIp, makeMachine, makePlayer, makeSession } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { hashPassword } from '../accounts/passwords.ts';

const t = withApp();

const MINUTE = 60_000;
const post = (path: string, body: unknown, ip = makeIp()) =>
  t.call('POST', `/api/users/${path}/`, { body, ip });

describe('P30e: deleting an account', () => {
  const PASSWORD = 'quiet orange kite';
  const remove = (access: string, body?: unknown) =>
    t.call('DELETE', '/api/users/profile/', { as: { access }, body, ip: makeIp() });

  test('a deletion needs the password, and deletes all personal data', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
    const { access, refresh } = await makeSession(t, player);
    await post('auth/request-password-reset', { email: player.email });
    t.clock.advance(6 * MINUTE);
    const wrongOne = await remove(access, { password: 'not my password' });
    expect([wrongOne.status, Object.keys(wrongOne.body)]).toEqual([400, ['password']]);
    const without = await remove(access);
    expect([without.status, Object.keys(without.body)]).toEqual([403, ['detail']]);
    expect((await remove(access, { password: '' })).status).toBe(403);

    expect((await remove(access, { password: PASSWORD })).status).toBe(204);
    expect((await t.call('GET', '/api/users/profile/', { as: { access } })).status).toBe(401);
    expect((await post('auth/token/refresh', { refresh })).status).toBe(401);
    expect((await post('auth/login', { email: player.email, password: PASSWORD })).status).toBe(
      400,
    );
    expect((await post('auth/check-email', { email: player.email })).body.exists).toBe(false);
    for (const table of ['sessions', 'codes', 'identities', 'player_stats'] as const)
      expect(
        await t.db
          .selectFrom(table)
          .select('player_id')
          .where('player_id', '=', player.id)
          .execute(),
      ).toEqual([]);
    expect(await t.mails(player.email)).toEqual([]);
    expect((await post('auth/register', { email: player.email })).status).toBe(201);
  });

  test('a deletion without a password needs a sign-in of the last five minutes', async () => {
    const player = await makePlayer(t);
    const old = await makeSession(t, player);
    t.clock.advance(5 * MINUTE + 1000);
    expect((await remove(old.access)).status).toBe(403);
    const fresh = await makeSession(t, player);
    expect((await remove(fresh.access)).status).toBe(204);
  });

  test('P16: a guess at the password here counts as a guess at sign-in', async () => {
    const player = await makePlayer(t, { password_hash: await hashPassword(PASSWORD) });
    const as = await makeSession(t, player);
    const ip = makeIp();
    const guess = (password: string) =>
      t.call('DELETE', '/api/users/profile/', { as, body: { password }, ip });
    for (let n = 0; n < 5; n += 1) expect((await guess(`guess ${n}`)).status).toBe(400);
    expect((await guess(PASSWORD)).status).toBe(429);
    expect((await post('auth/login', { email: player.email, password: PASSWORD }, ip)).status).toBe(
      429,
    );
  });

  test('a deletion keeps the games without their player, so that the totals of teams do not change', async () => {
    const player = await makePlayer(t);
    await makeGames(t, await makeMachine(t), player, [{ score: 77 }]);
    const { access } = await makeSession(t, player);
    expect((await remove(access)).status).toBe(204);
    const games = await t.db
      .selectFrom('games')
      .select('score')
      .where('player_id', '=', player.id)
      .execute();
    expect(games).toEqual([{ score: 77 }]);
  });
});
