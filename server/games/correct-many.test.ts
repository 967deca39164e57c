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
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';
import { correctMany } from './correct-many.ts';
import { rebuild } from './rebuild.ts';

const { t, ago } = midweekApp();

const asKey = { as: { key: OPERATOR_KEY } };
const post = (path: string, body: object, as: object = asKey) =>
  t.call('POST', `/api/operator/${path}/`, { ...as, body });
const statesOf = async (machine: { id: number }) => {
  const { rows } = await sql<{ state: string; n: number }>`
    select state, count(*) as n from games where machine_id = ${machine.id}
    group by state order by state`.execute(t.db);
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};
const linesOf = async (machine: { id: number }) =>
  (
    await sql<{ what: string; after: Record<string, unknown> }>`
      select what, after from audit where after->>'machine_id' = ${String(machine.id)} order by id`.execute(
      t.db,
    )
  ).rows;

test('GAME-14: one call discards the held games of a machine, with one line in the audit', async () => {
  const machine = await makeMachine(t, { venue: 'Dockside' });
  const other = await makeMachine(t, { venue: 'Dockside' });
  const players = [await makePlayer(t), await makePlayer(t)];
  for (const player of players) {
    const held = Array.from({ length: 40 }, (_, at) => ({
      score: 99_999,
      played_at: ago(at * HOUR),
    }));
    await makeGames(t, machine, player, [...held, { score: 200 }]);
    await makeGames(t, other, player, [{ score: 99_999 }]);
  }
  const page = await t.call('GET', `/api/operator/machines/page/?machine=id:${machine.id}`, asKey);
  expect(page.body).toMatchObject({ held: 80 });
  const recent = await post('held/discard-many', {
    machine: machine.name,
    since: ago(9.5 * HOUR).toISOString(),
  });
  expect([recent.status, recent.body]).toEqual([200, { games: 20, players: 2, left: 0 }]);
  const all = await post('held/discard-many', { machine: machine.name });
  expect(all.body).toEqual({ games: 60, players: 2, left: 0 });
  expect(await statesOf(machine)).toEqual({ counted: 2, discarded: 80 });
  expect(await statesOf(other)).toEqual({ held: 2 });
  const again = await post('held/discard-many', { machine: machine.name });
  expect(again.body).toEqual({ games: 0, players: 0, left: 0 });
  const lines = await linesOf(machine);
  expect(lines.map(({ after }) => after.games)).toEqual([20, 60]);
  expect(lines[1]?.what).toBe(`Discarded held games of ${machine.name}: 60`);
});

test('GAME-14: one call voids the games between two times, and recounts each player', async () => {
  const machine = await makeMachine(t, { venue: 'Dockside' });
  const players = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  await makeTeam(t, await makeLeague(t), players);
  for (const player of players)
    await makeGames(
      t,
      machine,
      player,
      [9, 7, 5, 3].map((hours, at) => ({ score: 100 + at, played_at: ago(hours * HOUR) })),
    );
  const body = {
    machine: machine.name,
    from: ago(8 * HOUR).toISOString(),
    to: ago(4 * HOUR).toISOString(),
  };
  expect((await post('games/void-many', { ...body, to: body.from })).status).toBe(400);
  const { body: done } = await post('games/void-many', body);
  expect(done).toEqual({ games: 6, players: 3, left: 0 });
  expect(await statesOf(machine)).toEqual({ counted: 6, void: 6 });
  const { rows } = await sql<{ games_played: number }>`
    select games_played from player_stats
    where player_id = any(${players.map(({ id }) => id)}::bigint[])`.execute(t.db);
  expect(rows.map(({ games_played }) => games_played)).toEqual([2, 2, 2]);
  expect((await linesOf(machine)).map(({ after }) => after.games)).toEqual([6]);
  // Nothing is left to recompute (GAME-03).
  const { changed } = await rebuild(t);
  expect(changed).toEqual({ statistics: 0, high_scores: 0, league_weeks: 0, achievements: 0 });
});

test('GAME-14: a call changes the games of 100 players at most, and says how many are left', async () => {
  const machine = await makeMachine(t, { venue: 'Dockside' });
  for (let n = 0; n < 103; n += 1)
    await makeGames(t, machine, await makePlayer(t), [{ played_at: ago(HOUR) }]);
  const many = {
    machine_id: machine.id,
    from: 'counted',
    to: 'void',
    since: null,
    until: null,
    reached: sql<boolean>`true`,
  } as const;
  const call = () => t.db.transaction().execute((trx) => correctMany(trx, many, t.clock.now()));
  expect(await call()).toEqual({ games: 100, players: 100, left: 3 });
  expect(await call()).toEqual({ games: 3, players: 3, left: 0 });
});

test('STAFF-02: filtering a list does not reveal which machines exist', async () => {
  const machine = await makeMachine(t, { venue: 'There' });
  await makeMachine(t, { venue: 'Here' });
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
  const list = async (ref: string) => {
    const { status, body } = await post('games/list', { machine: ref }, { headers });
    return [status, String(body.detail).replace(ref, 'X')];
  };
  expect(await list(machine.name)).toEqual(await list(`Q${machine.name.slice(1)}9999`));
  expect(await list(`id:${machine.id}`)).toEqual(await list('id:99999999'));
  expect((await list(machine.name))[0]).toBe(404);
});
