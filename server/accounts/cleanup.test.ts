import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  makeGames,
  makeIp,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { cleanUp } from './cleanup.ts';
import { hashPassword } from './passwords.ts';

const t = withApp();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('P28: the nightly clean-up', () => {
  const left = (players: { id: number }[]) =>
    t.db
      .selectFrom('players')
      .select('id')
      .where(
        'id',
        'in',
        players.map(({ id }) => id),
      )
      .execute();

  test('deletes accounts unverified for 7 days or unfinished for 30, and no others', async () => {
    const now = t.clock.now().getTime();
    const ago = (days: number) => new Date(now - days * DAY - MINUTE);
    const password_hash = await hashPassword('quiet orange kite');
    const unproven = { email_verified_at: null, username: null, date_of_birth: null };
    const make = async (days: number, columns: Parameters<typeof makePlayer>[1] = {}) => {
      const at = ago(days);
      return makePlayer(t, { created_at: at, email_verified_at: at, ...columns });
    };
    const almost = (days: number) => new Date(now - days * DAY + MINUTE);
    const kept = [
      await make(0, { ...unproven, created_at: almost(7) }),
      await make(0, { username: null, created_at: ago(400), email_verified_at: almost(30) }),
      await make(400, { password_hash }),
    ];
    const [google, played, onTeam] = [await make(400), await make(400), await make(400)];
    await t.db
      .insertInto('identities')
      .values({ issuer: 'g', subject: '1', player_id: google.id, created_at: ago(400) })
      .execute();
    await makeGames(t, await makeMachine(t), played, [{}]);
    await makeTeam(t, await makeLeague(t), [onTeam]);
    // A change of address unlinked Google; the player has 30 days to set a password.
    const moved = await make(400, { email_verified_at: ago(1) });
    const gone = [
      await make(7, unproven),
      await make(30, { username: null }),
      await make(30, { password_hash, date_of_birth: null }),
      await make(30),
    ];
    const { players } = await cleanUp(t);
    expect(players).toBeGreaterThanOrEqual(4);
    expect(await left(gone)).toEqual([]);
    const stayed = [...kept, google, played, onTeam, moved];
    expect((await left(stayed)).length).toBe(stayed.length);
  });

  test('deletes expired sessions, codes and limits, and keeps the others', async () => {
    const player = await makePlayer(t);
    await makeSession(t, player);
    await makeSession(t, player);
    const body = { email: 'person@example.com' };
    await t.call('POST', '/api/users/auth/register/', { body, ip: makeIp() });
    t.clock.advance(14 * DAY);
    const live = await makeSession(t, player);
    expect(await cleanUp(t)).toMatchObject({ codes: expect.any(Number) });
    const over = await t.db
      .selectFrom('limits')
      .select('key')
      .where('resets_at', '<=', t.clock.now())
      .execute();
    expect(
      await t.db.selectFrom('sessions').select('id').where('player_id', '=', player.id).execute(),
    ).toHaveLength(1);
    expect(await t.db.selectFrom('codes').select('player_id').execute()).toEqual([]);
    expect(over).toEqual([]);
    expect((await t.call('GET', '/api/users/profile/', { as: live })).status).toBe(200);
    expect(await cleanUp(t)).toEqual({ players: 0, sessions: 0, codes: 0, limits: 0 });
  });

  test('deletes more rows than fit in one statement', async () => {
    const resets_at = new Date(t.clock.now().getTime() - 1);
    await sql`insert into limits (key, points, resets_at)
      select 'old:' || n, 1, ${resets_at} from generate_series(1, 25000) as n`.execute(t.unlimited);
    expect((await cleanUp(t)).limits).toBe(25_000);
  });
});
