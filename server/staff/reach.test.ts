import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';

const t = withApp();

const asKey = { as: { key: OPERATOR_KEY } };

test('P63 OPS-13: the reach of staff and the list of games cost the same after many games', async () => {
  const machine = await makeMachine(t, { venue: 'Busy' });
  const quiet = await makeMachine(t, { venue: 'Quiet' });
  await makeMachine(t, { venue: 'Far off' });
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  const team = await makeTeam(t, league, [player]);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      team_id, week)
    select ${machine.id}, gen_random_uuid(), ${player.id}, 300, at, at::date, at, 'counted',
      sha256('a'), ${team.id}, date_trunc('week', at)::date
    from generate_series(1, 20000) n, lateral (select now() - n * interval '10 minutes' as at) w`.execute(
    t.db,
  );
  const other = await makePlayer(t);
  await makeTeam(t, league, [other]);
  for (const one of [player, other]) await makeGames(t, quiet, one, [{ score: 300 }]);
  await sql`analyze games`.execute(t.db);
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Quiet'] });
  const { headers: stranger } = await makeStaff(t, { role: 'manager', venues: ['Far off'] });
  const read = readRows(t);
  const rowsOf = async (work: () => Promise<unknown>) =>
    (await read(work)).reduce((sum, { rows }) => sum + rows, 0);
  const list = (as: object) =>
    t.call('POST', '/api/operator/games/list/', { ...as, body: {} }).then(({ body }) => body);
  expect(await list(asKey)).toMatchObject({ total: 1000, results: { length: 200 } });
  expect(await rowsOf(() => list(asKey))).toBeLessThan(2_500);
  expect((await list({ headers })).total).toBe(2);
  expect(await rowsOf(() => list({ headers }))).toBeLessThan(500);
  const show = (as: Record<string, string>) =>
    t.call('GET', `/api/operator/leagues/page/?league=${league.name}`, { headers: as });
  expect((await show(headers)).status).toBe(200);
  expect((await show(stranger)).status).toBe(403);
  expect(await rowsOf(() => show(stranger))).toBeLessThan(500);
});

test('P63 STAFF-02: a league is played where more than half of its teams with players have a game', async () => {
  const home = await makeMachine(t, { venue: 'Home' });
  const away = await makeMachine(t, { venue: 'Away' });
  const league = await makeLeague(t);
  const players = await Promise.all([1, 2, 3].map(() => makePlayer(t)));
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  const [first, ...others] = players;
  if (first) await makeTeam(t, league, [first]);
  const managers = await Promise.all(
    ['Home', 'Away'].map((venue) => makeStaff(t, { role: 'manager', venues: [venue] })),
  );
  const reached = async () => {
    const statuses = [];
    for (const { headers } of managers) {
      const path = `/api/operator/leagues/page/?league=id:${league.id}`;
      statuses.push((await t.call('GET', path, { headers })).status);
    }
    return statuses;
  };
  const visit = async (player: { id: number } | undefined, minutes: number) => {
    if (player) await makeGames(t, away, player, [{ played_at: ago(minutes) }]);
  };
  // One visitor's game is not enough, even while only the visitor's team has players.
  await visit(first, 60);
  expect(await reached()).toEqual([403, 403]);
  for (const player of others) await makeTeam(t, league, [player]);
  // Teams without players do not count.
  await makeTeam(t, league);
  await makeTeam(t, league);
  await makeTeam(t, league);
  expect(await reached()).toEqual([403, 403]);
  for (const player of players) await makeGames(t, home, player, [{ played_at: ago(60) }]);
  expect(await reached()).toEqual([200, 403]);
  // One of the three teams is not enough.
  await visit(players[0], 30);
  await visit(players[0], 20);
  expect(await reached()).toEqual([200, 403]);
  await visit(players[1], 20);
  expect(await reached()).toEqual([200, 200]);
});
