import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { FIGURES_GAMES } from '#contract/rules/games.ts';
import type { Figures } from '#contract/wire/games.ts';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { type FigureGame, figuresOf, readPlayerFigures } from './figures.ts';

const { t, ago } = midweekApp();

const NOW = new Date('2026-11-20T20:00:00Z');
const game = (hours: number, fields: Partial<FigureGame> = {}): FigureGame => ({
  score: 300,
  played_at: new Date(NOW.getTime() - hours * HOUR),
  machine_id: 1,
  machine: 'Hoop 1',
  venue: null,
  shots_made: null,
  shots_attempted: null,
  ...fields,
});
const of = (games: FigureGame[], all = { games: games.length, sum: sumOf(games) }) =>
  figuresOf(games, { all, zone: 'UTC', now: NOW });
const sumOf = (games: FigureGame[]) => games.reduce((sum, { score }) => sum + score, 0);
const times = (n: number, fields?: Partial<FigureGame>) =>
  Array.from({ length: n }, (_, at) => game(at, fields));

test('HAND-80: the shooting figure needs five games with shots made and attempted', () => {
  const shots = { shots_made: 11, shots_attempted: 20 };
  expect(of(times(4, shots)).shooting).toBeNull();
  expect(of(times(5, shots)).shooting).toEqual({ made: 55, tried: 100, games: 5 });
  const silent = [
    game(6, { shots_made: 3 }),
    game(7, { shots_made: 0, shots_attempted: 0 }),
    game(8, { shots_made: 9, shots_attempted: 8 }),
    game(9),
  ];
  expect(of([...times(5, shots), ...silent]).shooting).toEqual({ made: 55, tried: 100, games: 5 });
});

test('HAND-81: the figure of the last five games needs ten games, and shows how far the five are from the average', () => {
  expect(of(times(9)).last_five).toBeNull();
  expect(of(times(10)).last_five).toEqual({ average: 300, over: 0 });
  const better = [...times(5, { score: 401 }), ...times(5)];
  // (401 − 350.5) = 50.5
  expect(of(better).last_five).toEqual({ average: 401, over: 51 });
  const worse = [...times(5, { score: 250 }), ...times(5)];
  expect(of(worse).last_five).toEqual({ average: 250, over: -25 });
  const same = [...times(5, { score: 301 }), ...times(5)];
  expect(of(same).last_five).toEqual({ average: 301, over: 0 });
});

test('HAND-82: eight weeks, including the current one, are shown if three of them have games', () => {
  const week = 7 * 24;
  expect(of([game(1), game(week)]).weeks).toEqual([]);
  const { weeks } = of([
    game(1, { score: 1 }),
    game(2, { score: 2 }),
    game(week),
    game(7 * week),
    game(8 * week),
  ]);
  expect(weeks.map(({ from, games }) => [from, games])).toEqual([
    ['2026-09-28', 1],
    ['2026-10-05', 0],
    ['2026-10-12', 0],
    ['2026-10-19', 0],
    ['2026-10-26', 0],
    ['2026-11-02', 0],
    ['2026-11-09', 1],
    ['2026-11-16', 2],
  ]);
  expect(weeks.map(({ average }) => average)).toEqual([300, null, null, null, null, null, 300, 2]);
});

test('HAND-83: the best game of each machine is shown, at most five, and the earlier of equal games first', () => {
  expect(of(times(3)).machines).toEqual([]);
  const on = (id: number, hours: number, score: number) =>
    game(hours, { machine_id: id, machine: `Hoop ${id}`, score });
  const games = [
    on(1, 1, 5),
    on(2, 2, 9),
    on(1, 3, 9),
    on(3, 4, 1),
    on(4, 5, 2),
    on(5, 6, 3),
    on(6, 7, 4),
  ];
  expect(of(games).machines.map(({ machine, best, games: n }) => [machine, best, n])).toEqual([
    ['Hoop 1', 9, 2],
    ['Hoop 2', 9, 1],
    ['Hoop 6', 4, 1],
    ['Hoop 5', 3, 1],
    ['Hoop 4', 2, 1],
  ]);
});

/** The figures in SQL, written from the sentences of the rules. */
async function inSql(player: { id: number }, zone: string): Promise<Figures> {
  const { rows } = await sql<{ figures: Figures }>`
    with newest as (
      select g.*, m.name as machine, v.name as venue,
        to_char(date_trunc('week', g.played_at at time zone ${zone}), 'YYYY-MM-DD') as monday
      from games g join machines m on m.id = g.machine_id left join venues v on v.id = g.venue_id
      where player_id = ${player.id} and state = 'counted'
      order by played_at desc, g.id desc limit ${FIGURES_GAMES}
    ), shots as (
      select sum(shots_made)::int as made, sum(shots_attempted)::int as tried, count(*)::int as games
      from newest where shots_attempted > 0 and shots_made <= shots_attempted
    ), five as (
      select avg(score) as mean,
        avg(score) - (select avg(score) from games where player_id = ${player.id} and state = 'counted') as apart
      from (select score from newest order by played_at desc, id desc limit 5) x
    ), days as (
      select to_char(date_trunc('week', ${t.clock.now()}::timestamptz at time zone ${zone})
        - make_interval(weeks => n), 'YYYY-MM-DD') as monday, n from generate_series(0, 7) n
    ), weeks as (
      select d.n, d.monday as "from", count(x.id)::int as games, floor(avg(x.score) + 0.5)::int as average
      from days d left join newest x on x.monday = d.monday group by d.n, d.monday
    ), machines as (
      select distinct on (machine_id) machine, venue, score as best, played_at,
        count(*) over (partition by machine_id)::int as games
      from newest order by machine_id, score desc, played_at
    )
    select json_build_object(
      'shooting', (select case when games >= 5 then row_to_json(shots) end from shots),
      'last_five', (select case when (select count(*) from newest) >= 10 then json_build_object(
        'average', floor(mean + 0.5)::int,
        'over', (case when abs(apart) <= 0.5 then 0 else sign(apart) * floor(abs(apart) + 0.5) end)::int) end from five),
      'weeks', (select case when count(*) filter (where games > 0) >= 3
        then json_agg(json_build_object('from', "from", 'games', games, 'average', average) order by n desc)
        else '[]' end from weeks),
      'machines', (select case when count(*) > 1 then (select json_agg(x) from (
          select machine, venue, best, games from machines order by best desc, played_at limit 5) x)
        else '[]' end from machines)
    ) as figures`.execute(t.db);
  if (rows[0] === undefined) throw new Error('no row');
  return rows[0].figures;
}

test('HAND-V10: for random games, the figures equal those that SQL computes', async () => {
  const hoops: { id: number }[] = [];
  for (let n = 0; n < 6; n += 1)
    hoops.push(await makeMachine(t, { name: `Figure ${n}`, venue: `Hall ${n % 2}` }));
  await t.db.updateTable('venues').set({ timezone: 'Pacific/Auckland' }).execute();
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          hoop: fc.nat(5),
          score: fc.nat(40),
          hours: fc.integer({ min: 1, max: 70 * 24 }),
          made: fc.option(fc.nat(4), { nil: null }),
          tried: fc.option(fc.nat(4), { nil: null }),
        }),
        { maxLength: 40 },
      ),
      fc.boolean(),
      async (played, inLeague) => {
        const player = await makePlayer(t);
        if (inLeague)
          await makeTeam(t, await makeLeague(t, { timezone: 'America/Los_Angeles' }), [player]);
        const at = new Set<number>();
        for (const { hoop, score, hours, made, tried } of played) {
          // One player cannot play on two machines at the same time.
          if (at.has(hours)) continue;
          at.add(hours);
          const machine = hoops[hoop];
          if (machine === undefined) continue;
          const [one] = await makeGames(t, machine, player, [
            { score, played_at: ago(hours * HOUR) },
          ]);
          await t.db
            .updateTable('games')
            .set({ shots_made: made, shots_attempted: tried })
            .where('id', '=', one?.id ?? '')
            .execute();
        }
        const zone = inLeague ? 'America/Los_Angeles' : at.size > 0 ? 'Pacific/Auckland' : 'UTC';
        const { status, body } = await t.call('GET', '/api/users/profile/figures/', {
          as: await makeSession(t, player),
        });
        expect(status).toBe(200);
        expect(body).toEqual(await inSql(player, zone));
      },
    ),
    { numRuns: 25, seed: 7 },
  );
}, 120_000);

test('HAND-84: no figure counts held or void games, or games of other players', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const games = await makeGames(
    t,
    machine,
    player,
    Array.from({ length: 12 }, (_, at) => ({ score: 100, played_at: ago((at + 1) * DAY) })),
  );
  const read = async () =>
    (await t.call('GET', '/api/users/profile/figures/', { as: await makeSession(t, player) })).body;
  expect((await read()).last_five).toEqual({ average: 100, over: 0 });
  await makeGames(t, machine, await makePlayer(t), [{ score: 900 }]);
  await makeGames(t, machine, player, [{ score: 99_999 }]);
  expect((await read()).last_five).toEqual({ average: 100, over: 0 });
  await t.db
    .updateTable('games')
    .set({ state: 'void' })
    .where(
      'id',
      'in',
      games.slice(0, 3).map(({ id }) => id),
    )
    .execute();
  expect((await read()).last_five).toBeNull();
});

test('HAND-V10: reading the figures scans one range of an index, however many games there are', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      outside)
    select ${machine.id}, gen_random_uuid(), ${player.id}, n % 900, at, at::date, at, 'counted',
      sha256(n::text::bytea), 'no_team'
    from generate_series(1, 5000) n,
      lateral (select ${ago(HOUR)}::timestamptz - n * interval '20 minutes' as at) a`.execute(
    t.unlimited,
  );
  await sql`analyze games`.execute(t.db);
  const [games] = await readRows(t)(() => readPlayerFigures(t, player.id));
  // The rows are the games, their machine and their venue.
  expect(games?.rows).toBeLessThanOrEqual(FIGURES_GAMES + 20);
});
