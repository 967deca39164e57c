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
  const league = await makeLeague(t, { venue: 'Quiet' });
  const team = await makeTeam(t, league, [player]);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      team_id, week)
    select ${machine.id}, gen_random_uuid(), ${player.id}, 300, at, at::date, at, 'counted',
      sha256('a'), ${team.id}, date_trunc('week', at)::date
    from generate_series(1, 8000) n, lateral (select now() - n * interval '10 minutes' as at) w`.execute(
    t.unlimited,
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
