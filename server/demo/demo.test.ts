import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { isInappropriate } from '#contract/rules/profanity.ts';
import { USERNAME_INPUT_MAX, usernameProblem } from '#contract/rules/username.ts';
import { makePlayer } from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, testApp, withApp } from '#testing/app/test-app.ts';
import { startOf, weekOf } from '../leagues/calendar.ts';
import { addMachine, rotateMachine } from '../machines/machines.ts';
import { mayBeNamed } from '../players/visibility.ts';
import { answerForMachines, DEMO_EMAIL, DEMO_PASSWORD, type Demo, fillDemo } from './demo.ts';
import { TEAMS } from './people.ts';
import { demoZone, planSeason, type Seat } from './season.ts';

const t = withApp();
let demo: Demo;
let as: { access: string };
/** The time to Wednesday noon UTC, when every board of the week has players. */
function untilWednesday(now: Date): number {
  const days = (3 - now.getUTCDay() + 7) % 7 || 7;
  const date = now.getUTCDate() + days;
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), date, 12) - now.getTime();
}

beforeAll(async () => {
  t.clock.advance(untilWednesday(t.clock.now()));
  demo = await fillDemo(t);
  const { body } = await t.call('POST', '/api/users/auth/login/', {
    body: { email: DEMO_EMAIL, password: DEMO_PASSWORD },
  });
  as = { access: body.access };
});

const get = async (path: string) => {
  const answer = await t.call('GET', path, { as });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
};

/** What every demo has, without hashes of passwords and keys. */
async function contents(of: TestApp) {
  const tables = [
    'leagues',
    'teams',
    'matchup_sides',
    'team_changes',
    'league_mode_changes',
    'venues',
    'machines',
    'games',
    'player_stats',
    'bests',
    'best_counts',
    'league_weeks',
    'player_achievements',
  ];
  const all: Record<string, unknown[]> = {};
  for (const table of tables) {
    // Join codes are random.
    const { rows } = await sql<{ row: unknown }>`select to_jsonb(r) - 'join_code' as row
      from ${sql.table(table)} r order by 1`.execute(of.db);
    all[table] = rows;
  }
  const { rows } = await sql`select id, uuid, email, username, date_of_birth, avatar_color,
    jersey_number, league_mode_enabled, team_id, created_at from players order by id`.execute(
    of.db,
  );
  return { ...all, players: rows };
}

test('the demo has six teams and thirty players, with names that a player could choose', async () => {
  expect(demo).toMatchObject({ players: 30, email: DEMO_EMAIL, password: DEMO_PASSWORD });
  expect(demo.games).toBeGreaterThan(700);
  const names = TEAMS.flatMap(({ people }) => people.map(({ username }) => username));
  for (const name of names) {
    expect([name, usernameProblem(name), isInappropriate(name)]).toEqual([name, null, false]);
    expect(name.length).toBeLessThanOrEqual(USERNAME_INPUT_MAX);
  }
});

test('every page of the demo account has something to show', async () => {
  const profile = await get('/api/users/profile/');
  expect(profile).toMatchObject({ profile_setup_complete: true, league_mode_enabled: true });
  expect(profile.user_stat.games_played).toBeGreaterThan(30);
  const games = await get('/api/users/profile/games/');
  expect(games.next).not.toBeNull();
  const counts = await sql<{ state: string; outside: string | null; n: number }>`
    select state, outside, count(*) as n from games g join players p on p.id = g.player_id
    where p.email = ${DEMO_EMAIL} group by 1, 2`.execute(t.db);
  const kinds = counts.rows.map(({ state, outside }) => `${state} ${outside ?? 'league'}`);
  expect(kinds.sort()).toEqual(['counted league', 'counted league_mode_off', 'held league']);
});

test('in the fifth week the demo team is slightly behind, and the player has two games left', async () => {
  const stats = await get('/api/leaderboards/user-league-stats/');
  expect(stats.teammates).toHaveLength(5);
  expect(stats.me).toMatchObject({ league_games_left: 2, fourth_best: expect.any(Number) });
  const behind = stats.opponent.total_score - stats.team_total_score;
  expect(behind).toBeGreaterThan(0);
  expect(behind).toBeLessThan(100);
  const season = await get('/api/leaderboards/user-league-season/');
  expect(season).toMatchObject({ week: 5, weeks: 10 });
  expect(
    season.standings.every(({ won, lost }: { won: number; lost: number }) => won + lost === 4),
  ).toBe(true);
});

test('the demo has leaderboards, achievements, machines and held games', async () => {
  for (const scope of ['all', 'league', 'venue'])
    for (const period of ['week', 'all']) {
      const board = await get(`/api/leaderboards/?scope=${scope}&period=${period}`);
      expect([scope, period, board.results.length > 5]).toEqual([scope, period, true]);
    }
  expect((await get('/api/achievements/user_achievements/')).length).toBeGreaterThan(5);
  const machines = await t.call('GET', '/api/operator/machines/', { as: { key: OPERATOR_KEY } });
  expect(machines.body.results.map(({ state }: { state: string }) => state)).toEqual(
    Array(5).fill('idle'),
  );
  // HAND-C13: each machine says how many games it has to send. One of them has two.
  const queued = await t.db.selectFrom('machine_status').select('queued').execute();
  expect(queued.map((row) => row.queued).sort()).toEqual([0, 0, 0, 0, 2]);
  const { rows } = await sql<{ held: number; recent: Date; ahead: number }>`
    select count(*) filter (where state = 'held') as held, max(played_at) as recent,
      count(*) filter (where played_at > ${t.clock.now()} or received_at > ${t.clock.now()}) as ahead
    from games`.execute(t.db);
  expect(rows[0]).toMatchObject({ held: 1, ahead: 0 });
});

test('HAND-55: a screen names two of three demo players, one of them the demo account', async () => {
  const { rows } = await sql<{ email: string; named: boolean }>`
    select email, ${mayBeNamed(t, 'screen')} as named from players p`.execute(t.db);
  expect(rows.filter(({ named }) => named)).toHaveLength(20);
  expect(rows.find(({ email }) => email === DEMO_EMAIL)?.named).toBe(true);
});

test('the server answers for the demo’s machines until their key is used', async () => {
  const states = async () => {
    const { body } = await t.call('GET', '/api/operator/machines/', { as: { key: OPERATOR_KEY } });
    return Object.fromEntries(
      body.results.map(({ name, state }: { name: string; state: string }) => [name, state]),
    );
  };
  const { key } = await rotateMachine(t, 'Hoop 2');
  await addMachine(t, { name: 'Real', venue: 'Dockside Arcade' });
  await t.call('GET', '/api/machine/', { as: { key } });
  t.clock.advance(3_600_000);
  await answerForMachines(t);
  expect(await states()).toEqual({
    'Hoop 1': 'idle',
    'Hoop 2': 'silent',
    'Hoop 3': 'idle',
    'Hoop 4': 'idle',
    'Hoop 5': 'idle',
    Real: 'silent',
  });
});

test('two demos made at the same time have the same rows', async () => {
  const now = new Date('2026-03-31T15:00:00Z');
  const clock = { now: () => now };
  const two = await Promise.all([testApp(), testApp()]);
  for (const one of two) await fillDemo({ ...one, clock });
  const [first, second] = await Promise.all(two.map(contents));
  expect(second).toEqual(first);
  await Promise.all(two.map((one) => one.close()));
});

test('a demo needs `beside` if there are real players, and a second demo is refused', async () => {
  const other = await testApp();
  await makePlayer(other, { username: 'maya_banks', email: 'dee-three@example.com' });
  await expect(fillDemo(other)).rejects.toMatchObject({ status: 409 });
  expect(await fillDemo(other, { beside: true })).toMatchObject({ players: 30 });
  await expect(fillDemo(other, { beside: true })).rejects.toMatchObject({ status: 409 });
  await other.close();
});

test('in production the password is random, and a failed demo leaves nothing', async () => {
  const other = await testApp({ production: true });
  const steps: string[] = [];
  const failing = fillDemo(other, {
    onProgress: ({ step, done, total }) => {
      steps.push(step);
      if (done > total / 2) throw new Error('cut off');
    },
  });
  await expect(failing).rejects.toThrow('cut off');
  expect(new Set(steps).size).toBe(2);
  expect(
    await sql`select 1 from players union all select 1 from machines`.execute(other.db),
  ).toMatchObject({ rows: [] });
  const { password } = await fillDemo(other);
  expect(password).not.toBe(DEMO_PASSWORD);
  expect(password.length).toBeGreaterThan(15);
  await other.close();
});

test('at any hour the current week has a close match', () => {
  const seats: Seat[] = TEAMS.flatMap(({ people }, team) =>
    people.map((person) => ({ ...person, team, league_mode: true })),
  );
  const monday = Date.parse('2026-03-23T00:00:00Z');
  const nextMonday = Date.parse('2026-03-30T00:00:00Z');
  const hours = Array.from({ length: 15 }, (_, hour) => hour);
  for (let hour = 15; hour < 7 * 24; hour += 5) hours.push(hour);
  for (const hour of [...hours, (nextMonday - monday) / 3_600_000]) {
    const now = new Date(monday + hour * 3_600_000);
    const zone = demoZone(now);
    const { plays } = planSeason(seats, 4, zone, now);
    const from = startOf(weekOf(now, zone), zone);
    const present = plays.filter(({ played_at }) => played_at >= from);
    expect([now, present.length > 25]).toEqual([now, true]);
    expect(present.filter(({ player }) => player === 0).length).toBeGreaterThanOrEqual(4);
    const total = (team: number) =>
      seats.reduce((sum, seat, player) => {
        const scores = present
          .filter((game) => game.player === player && seat.team === team)
          .sort((a, b) => a.played_at.getTime() - b.played_at.getTime())
          .slice(0, 8)
          .map(({ score }) => score)
          .sort((a, b) => b - a);
        return sum + scores.slice(0, 4).reduce((one, other) => one + other, 0);
      }, 0);
    expect([now, Math.abs(total(4) - total(0)) < 100]).toEqual([now, true]);
    expect(plays.every(({ played_at }) => played_at < now)).toBe(true);
    expect(Math.max(...plays.map(({ score }) => score))).toBeLessThan(1200);
  }
});
