import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, testApp } from '#testing/app/test-app.ts';
import { receiverOf } from '#testing/push-service.ts';
import { restoreGame, voidGame } from '../games/corrections.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { cleanUpBoards, rebuildCounts } from './boards.ts';
import { passedTeller, tellPassed } from './passed.ts';
import { keepPlaces } from './places.ts';
import { readBoard, readVenueTop } from './read-board.ts';

type P = Awaited<ReturnType<typeof makePlayer>>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

async function freshApp(): Promise<TestApp> {
  const t = await testApp();
  goToMidweek(t);
  return t;
}

let t: TestApp;
beforeAll(async () => {
  t = await freshApp();
});
afterAll(() => t.close());

const board = async (app: TestApp, player: { id: number }, query = '') =>
  app.call('GET', `/api/leaderboards/${query}`, { as: await makeSession(app, player) });
const brief = ({ place, username, score }: { place: number; username: string; score: number }) =>
  `${place} ${username} ${score}`;

test('PROD-52: a board of the week says when its week ends, in its own zone', async () => {
  const [player, zone] = [await makePlayer(t), 'America/New_York'];
  await makeTeam(t, await makeLeague(t, { timezone: zone }), [player]);
  const closes = async (query: string) => (await board(t, player, query)).body.week_closes_at;
  const end = (of: string) => startOf(addDays(weekOf(t.clock.now(), of), 7), of).toISOString();
  expect(await closes('?scope=league&period=week')).toBe(end(zone));
  expect(await closes('?period=week')).toBe(end('UTC'));
  expect(await closes('?scope=league')).toBeNull();
  // Sunday night turns into Monday during the read.
  const monday = Date.parse(end('UTC'));
  const moments = [monday - 1];
  const clock = { now: () => new Date(moments.pop() ?? monday) };
  const answer = await readBoard({ ...t, clock }, player.id, 'all', 'week');
  expect(answer.week_closes_at).toBe(end('UTC'));
});

test('the board of all players has the best 20 with shared places, and the caller with neighbours', async () => {
  const app = await freshApp();
  const machine = await makeMachine(app);
  // Equal scores: p04 and p05, p24 and p25.
  const players = [];
  for (let n = 0; n < 30; n += 1) {
    const player = await makePlayer(app, { username: `p${String(n).padStart(2, '0')}` });
    const score = 1000 - 10 * (n === 5 || n === 25 ? n - 1 : n);
    await makeGames(app, machine, player, [
      { score, played_at: new Date(app.clock.now().getTime() - HOUR) },
      { score: 5, played_at: new Date(app.clock.now().getTime() - 2 * HOUR) },
    ]);
    players.push(player);
  }
  const [first] = players;
  const own = players[25];
  if (first === undefined || own === undefined) throw new Error('no players');
  const { status, body } = await board(app, own);
  expect(status).toBe(200);
  expect(body.results).toHaveLength(20);
  expect(body.results.slice(0, 7).map(brief)).toEqual([
    '1 p00 1000',
    '2 p01 990',
    '3 p02 980',
    '4 p03 970',
    '5 p05 960',
    '5 p04 960',
    '7 p06 940',
  ]);
  expect(body.around.map(brief)).toEqual([
    '23 p22 780',
    '24 p23 770',
    '25 p25 760',
    '25 p24 760',
    '27 p26 740',
  ]);
  expect(Object.keys(body.results[0]).sort()).toEqual([
    'avatar_color',
    'jersey_number',
    'place',
    'score',
    'username',
    'was',
  ]);
  expect((await board(app, first)).body.around.map(brief)).toEqual([
    '1 p00 1000',
    '2 p01 990',
    '3 p02 980',
  ]);
  const last = players[29];
  if (last === undefined) throw new Error('no last player');
  expect((await board(app, last)).body.around.map(brief)).toEqual([
    '28 p27 730',
    '29 p28 720',
    '30 p29 710',
  ]);
  await app.close();
});

test('a player without a game is on no board, but can read every board', async () => {
  const player = await makePlayer(t);
  const answer = await board(t, player);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ around: [], league: null, venue: null });
});

test('the board of the week has games of the current week only', async () => {
  const app = await freshApp();
  const machine = await makeMachine(app);
  const [one, two] = [
    await makePlayer(app, { username: 'one' }),
    await makePlayer(app, { username: 'two' }),
  ];
  const ago = (ms: number) => new Date(app.clock.now().getTime() - ms);
  await makeGames(app, machine, one, [{ score: 900, played_at: ago(5 * DAY) }]);
  await makeGames(app, machine, one, [{ score: 100, played_at: ago(HOUR) }]);
  await makeGames(app, machine, two, [{ score: 200, played_at: ago(HOUR) }]);
  expect((await board(app, one, '?period=week')).body.results.map(brief)).toEqual([
    '1 two 200',
    '2 one 100',
  ]);
  expect((await board(app, one, '?period=all')).body.results.map(brief)).toEqual([
    '1 one 900',
    '2 two 200',
  ]);
  app.clock.advance(7 * DAY);
  expect((await board(app, one, '?period=week')).body).toMatchObject({ results: [], around: [] });
  await app.close();
});

test("a league's board has its players only, with weeks in its zone", async () => {
  const app = await freshApp();
  const machine = await makeMachine(app);
  const players = [
    await makePlayer(app, { username: 'mate' }),
    await makePlayer(app, { username: 'foe' }),
    await makePlayer(app, { username: 'other' }),
  ] as const;
  const [mate, foe, other] = players;
  const league = await makeLeague(app, { timezone: 'Pacific/Auckland' });
  await makeTeam(app, league, [mate]);
  await makeTeam(app, league, [foe]);
  await makeTeam(app, await makeLeague(app), [other]);
  // 13:00 UTC on Sunday is Monday in Auckland: this week there, but last week in UTC.
  const sunday = new Date(startOf(weekOf(app.clock.now(), 'UTC'), 'UTC').getTime() - 11 * HOUR);
  await makeGames(app, machine, mate, [{ score: 300, played_at: sunday }]);
  await makeGames(app, machine, foe, [
    { score: 300, played_at: new Date(sunday.getTime() + DAY) },
    { score: 800, played_at: new Date(sunday.getTime() - DAY) },
  ]);
  await makeGames(app, machine, other, [{ score: 999, played_at: sunday }]);
  const week = await board(app, mate, '?scope=league&period=week');
  expect(week.body).toMatchObject({ league: league.name, venue: null });
  expect(week.body.results.map(brief)).toEqual(['1 foe 300', '1 mate 300']);
  expect(week.body.around.map(brief)).toEqual(['1 foe 300', '1 mate 300']);
  expect((await board(app, mate, '?scope=league')).body.results.map(brief)).toEqual([
    '1 foe 800',
    '2 mate 300',
  ]);
  expect((await board(app, mate, '?period=week')).body.results.map(brief)).toEqual(['1 foe 300']);
  await app.close();
});

test("the venue's board is that of the venue of the player's last game", async () => {
  const app = await freshApp();
  const [dock, dock2, station, none] = [
    await makeMachine(app, { venue: 'Dockside Arcade' }),
    await makeMachine(app, { venue: 'Dockside Arcade' }),
    await makeMachine(app, { venue: 'Station Bowl' }),
    await makeMachine(app),
  ];
  const ago = (ms: number) => new Date(app.clock.now().getTime() - ms);
  const [me, her] = [
    await makePlayer(app, { username: 'me-' }),
    await makePlayer(app, { username: 'her' }),
  ];
  const venueless = await board(app, me, '?scope=venue');
  expect([venueless.status, venueless.body]).toEqual([
    400,
    { detail: 'You have not played at a venue.' },
  ]);
  await makeGames(app, dock, me, [{ score: 10, played_at: ago(5 * HOUR) }]);
  await makeGames(app, dock2, her, [{ score: 20, played_at: ago(5 * HOUR) }]);
  await makeGames(app, station, her, [{ score: 90, played_at: ago(4 * HOUR) }]);
  const at = async () => (await board(app, me, '?scope=venue&period=week')).body.results.map(brief);
  expect(await at()).toEqual(['1 her 20', '2 me- 10']);
  expect((await board(app, me)).body).toMatchObject({ league: null, venue: 'Dockside Arcade' });
  await makeGames(app, station, me, [{ score: 5, played_at: ago(3 * HOUR) }]);
  expect(await at()).toEqual(['1 her 90', '2 me- 5']);
  // MACH-14: the game stays at the venue where it was played.
  app.clock.advance(1000);
  const moved = await app.call('POST', '/api/operator/machines/change/', {
    body: { machine: station.name, venue: 'Dockside Arcade' },
    as: { key: OPERATOR_KEY },
  });
  expect(moved.status).toBe(200);
  expect(await at()).toEqual(['1 her 90', '2 me- 5']);
  await makeGames(app, none, me, [{ score: 5, played_at: ago(2 * HOUR) }]);
  expect((await board(app, me, '?scope=venue')).status).toBe(400);
  await app.close();
});

test("API-28: a venue's week is in its time zone, also after the zone is changed", async () => {
  const app = await freshApp();
  const machine = await makeMachine(app, { venue: 'Harbour' });
  const player = await makePlayer(app, { username: 'early' });
  const change = (timezone: string) =>
    app.call('POST', '/api/operator/venues/change/', {
      body: { venue: 'Harbour', timezone },
      as: { key: OPERATOR_KEY },
    });
  const scores = async (query: string) => (await board(app, player, query)).body.results.map(brief);
  const onScreen = async () =>
    (await readVenueTop(app, machine.venue_id ?? 0, 'week', 5)).map(({ score }) => score);
  await change('Pacific/Auckland');
  const sunday = new Date(startOf(weekOf(app.clock.now(), 'UTC'), 'UTC').getTime() - 11 * HOUR);
  await makeGames(app, machine, player, [{ score: 70, played_at: sunday }]);
  expect(await scores('?scope=venue&period=week')).toEqual(['1 early 70']);
  expect(await onScreen()).toEqual([70]);
  expect(await scores('?period=week')).toEqual([]);
  await change('UTC');
  expect(await scores('?scope=venue&period=week')).toEqual([]);
  expect(await onScreen()).toEqual([]);
  await change('Pacific/Auckland');
  expect(await scores('?scope=venue&period=week')).toEqual(['1 early 70']);
  expect((await board(app, player, '?scope=venue&period=week')).body.around.map(brief)).toEqual([
    '1 early 70',
  ]);
  await app.close();
});

test('API-28: boards of weeks that are over are not written, and are deleted at night', async () => {
  const app = await freshApp();
  const machine = await makeMachine(app, { venue: 'Pier' });
  const player = await makePlayer(app);
  const weeks = async (table: string) => {
    const { rows } = await sql<{ week: string }>`
      select distinct week from ${sql.table(table)} where venue_id >= 0 order by week`.execute(
      app.db,
    );
    return rows.map(({ week }) => week);
  };
  const week = weekOf(app.clock.now(), 'UTC');
  await makeGames(app, machine, player, [
    { score: 90, played_at: new Date(app.clock.now().getTime() - 8 * DAY) },
    { score: 80 },
  ]);
  expect(await weeks('bests')).toEqual(['-infinity', week]);
  expect(await cleanUpBoards(app)).toBe(0);
  app.clock.advance(7 * DAY);
  await makeGames(app, machine, player, [{ score: 85 }]);
  const next = weekOf(app.clock.now(), 'UTC');
  expect(await weeks('bests')).toEqual(['-infinity', week, next]);
  expect(await cleanUpBoards(app)).toBe(2);
  for (const table of ['bests', 'best_counts'])
    expect(await weeks(table)).toEqual(['-infinity', next]);
  await app.close();
});

test('HAND-96: each row shows which place the player had at the last 06:00 UTC', async () => {
  const app = await freshApp();
  const machine = await makeMachine(app, { venue: 'Dockside Arcade' });
  const league = await makeLeague(app);
  const names = ['ann', 'bob', 'cat', 'dan', 'nob'];
  const players = [];
  for (const username of names)
    players.push(
      await makePlayer(app, { username, ...(username === 'nob' && { visibility: 'league' }) }),
    );
  const [ann, bob, cat, dan, nob] = players as Required<[P, P, P, P, P]>;
  await makeTeam(app, league, [ann, bob, cat]);
  const play = (player: P, score: number) =>
    makeGames(app, machine, player, [
      { score, played_at: new Date(app.clock.now().getTime() - 1000) },
    ]);
  await play(ann, 300);
  await play(bob, 200);
  await play(cat, 100);
  await play(nob, 400);
  type Row = { place: number; username: string | null; was: number | null };
  const read = async (query: string) => {
    const { status, body } = await board(app, ann, query);
    expect(status).toBe(200);
    expect(body.results).toEqual(expect.arrayContaining(body.around));
    return [
      body.moves,
      ...body.results.map(({ place, username, was }: Row) => `${place} ${username} ${was}`),
    ];
  };
  const boards = ['all', 'venue', 'league'].flatMap((scope) =>
    ['all', 'week'].map((period) => `?scope=${scope}&period=${period}`),
  );
  for (const one of boards) expect((await read(one))[0], one).toBe(false);

  expect(await keepPlaces(app)).toBe(2 * 4 + 2 * 4 + 2 * 3);
  expect(await keepPlaces(app)).toBe(0);
  await play(cat, 300);
  await play(dan, 150);
  for (const one of boards)
    expect(await read(one), one).toEqual(
      one.includes('league')
        ? [true, '1 cat 3', '1 ann 1', '3 bob 2']
        : [true, '1 null null', '2 cat 4', '2 ann 2', '4 bob 3', '5 dan null'],
    );
  expect((await read('?scope=friends'))[0]).toBe(false);

  // On Monday the all-time board has stored places, but the board of the week has none.
  const monday = startOf(weekOf(new Date(app.clock.now().getTime() + 7 * DAY), 'UTC'), 'UTC');
  app.clock.advance(monday.getTime() + 12 * HOUR - app.clock.now().getTime());
  expect(await keepPlaces(app)).toBe(5 + 5 + 3);
  await play(bob, 10);
  expect((await read('?scope=all&period=week'))[0]).toBe(false);
  expect((await read('?scope=all&period=all')).slice(0, 3)).toEqual([
    true,
    '1 null null',
    '2 cat 2',
  ]);
  // Places are kept for two days.
  app.clock.advance(2 * DAY);
  expect((await read('?scope=all&period=all'))[0]).toBe(false);
  await app.close();
});

test('an unknown scope or period gets 400', async () => {
  const player = await makePlayer(t);
  for (const query of ['?scope=world', '?period=month', '?scope=', '?scope=all&scope=league']) {
    const answer = await board(t, player, query);
    expect([query, answer.status]).toEqual([query, 400]);
    expect(Object.keys(answer.body)).toHaveLength(1);
  }
});

test('a board needs a token', async () => {
  expect((await t.call('GET', '/api/leaderboards/')).status).toBe(401);
});

test('a held game is on no board, and neither is a void one until it is restored', async () => {
  const app = await freshApp();
  const machine = await makeMachine(app);
  const player = await makePlayer(app, { username: 'solo' });
  const ago = (ms: number) => new Date(app.clock.now().getTime() - ms);
  const [, high] = await makeGames(app, machine, player, [
    { score: 100, played_at: ago(3 * HOUR) },
    { score: 500, played_at: ago(2 * HOUR) },
    { score: 10_000, played_at: ago(HOUR) },
  ]);
  if (high === undefined) throw new Error('no game');
  const results = async () => (await board(app, player)).body.results.map(brief);
  expect(await results()).toEqual(['1 solo 500']);
  await voidGame(app, high.seq);
  expect(await results()).toEqual(['1 solo 100']);
  await restoreGame(app, high.seq);
  expect(await results()).toEqual(['1 solo 500']);
  await app.close();
});

test('a board of many players is read by index scans: the best 20 and the neighbours', async () => {
  const app = await freshApp();
  const player = await makePlayer(app);
  await makeGames(app, await makeMachine(app), player, [{ score: 5000 }]);
  await sql`
    insert into players (email, username, date_of_birth, created_at)
    select 'crowd' || n || '@example.com', 'crowd-' || n, '2000-01-01', now()
    from generate_series(1, 20000) n`.execute(app.unlimited);
  await sql`
    insert into bests (venue_id, week, player_id, score)
    select 0, '-infinity', id, id % 9000 from players where email like 'crowd%'`.execute(
    app.unlimited,
  );
  await rebuildCounts(app.db, app.clock.now());
  await sql`analyze`.execute(app.db);
  const plan = await sql<{ 'QUERY PLAN': string }>`
    explain select player_id, score from bests b where venue_id = 0 and week = '-infinity'
    order by score desc, player_id desc limit 20`.execute(app.db);
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
    /Index Only Scan Backward using bests_in_order/,
  );
  const { body } = await board(app, player);
  expect(body.results).toHaveLength(20);
  expect(body.around).toHaveLength(5);
  expect(body.around[2]).toMatchObject({ username: player.username, score: 5000 });
  const above = await sql<{ n: number }>`
    select count(*) as n from bests where week = '-infinity' and score > 5000`.execute(app.db);
  expect(body.around[2].place).toBe(1 + (above.rows[0]?.n ?? 0));
  await app.close();
});

test('PUSH-05, PUSH-13: players with this notice on are told at most once a day that somebody passed them', async () => {
  const machine = await makeMachine(t);
  let devices = 0;
  const withDevice = async (columns: Parameters<typeof makePlayer>[1] = {}) => {
    const player = await makePlayer(t, columns);
    const as = await makeSession(t, player);
    const { endpoint, p256dh, auth } = await receiverOf(
      `https://fcm.googleapis.com/passed/${++devices}`,
    );
    const body = { endpoint, p256dh, auth, locale: 'en', zone: 'UTC' };
    expect((await t.call('PUT', '/api/users/push/device/', { as, body })).status).toBe(200);
    return { player, as };
  };
  const { player: maya, as } = await withDevice();
  const { player: off } = await withDevice();
  const { player: child } = await withDevice({
    date_of_birth: new Date(t.clock.now().getTime() - 15 * 365 * DAY).toISOString().slice(0, 10),
  });
  await sql`update player_push set passed = true where player_id = ${child.id}`.execute(t.db);
  await t.call('PATCH', '/api/users/push/', { as, body: { kinds: { passed: true } } });
  const [joe, zoe] = [await makePlayer(t), await makePlayer(t)];
  const league = await makeLeague(t);
  await makeTeam(t, league, [maya, off, child]);
  await makeTeam(t, league, [joe, zoe]);
  const play = (player: { id: number; email: string }, score: number) =>
    makeGames(t, machine, player as Parameters<typeof makeGames>[2], [{ score }]);
  const waiting = async () => {
    const { rows } = await sql<{ id: string; player_id: number; subject: string; data: object }>`
      select id, player_id, subject, data from push_notices
      where kind = 'passed' and state = 'waiting'`.execute(t.db);
    return rows;
  };
  const words = async () => {
    const [notice] = await waiting();
    if (notice === undefined) return undefined;
    const worth_until = t.clock.now();
    return passedTeller.words(
      t,
      { ...notice, kind: 'passed', worth_until },
      { zone: 'UTC', locale: 'en' },
    );
  };
  const forget = () => sql`delete from push_notices`.execute(t.db);

  await play(joe, 400);
  expect(await tellPassed(t), 'without a game').toBe(0);
  for (const player of [maya, off, child]) await play(player, 1200);
  expect(await tellPassed(t), 'first look').toBe(0);
  await play(joe, 1200);
  expect(await tellPassed(t), 'an equal score').toBe(0);
  await play(joe, 1300);
  expect(await tellPassed(t)).toBe(1);
  expect((await waiting()).map(({ player_id }) => player_id)).toEqual([maya.id]);
  const { rows: worth } = await sql<{ hours: number }>`
    select extract(epoch from worth_until - caused_at)::int / 3600 as hours from push_notices
    where kind = 'passed'`.execute(t.db);
  expect(worth).toEqual([{ hours: 6 }]);
  expect(await words()).toEqual({
    title: 'Place 2 this week',
    body: 'Somebody in your league went past your 1,200.',
    path: '/leaderboard',
  });
  expect(await tellPassed(t), 'nothing new').toBe(0);
  await play(zoe, 1301);
  expect(await tellPassed(t), 'once a day').toBe(0);
  expect(await words(), 'the place when it is sent').toMatchObject({ title: 'Place 3 this week' });
  await play(maya, 1302);
  expect(await words(), 'first again').toBeNull();

  await forget();
  expect(await tellPassed(t), 'a better place').toBe(0);
  await play(maya, 1310);
  await play(joe, 1400);
  expect(await tellPassed(t), 'another best').toBe(0);
  await play(joe, 1500);
  expect(await tellPassed(t), 'passed by the same player').toBe(0);
  await play(zoe, 1600);
  expect(await tellPassed(t)).toBe(1);
  await forget();
  await t.call('PATCH', '/api/users/push/', { as, body: { kinds: { passed: false } } });
  await play(off, 1700);
  expect(await tellPassed(t), 'turned off').toBe(0);

  await t.call('PATCH', '/api/users/push/', { as, body: { kinds: { passed: true } } });
  await tellPassed(t);
  await forget();
  t.clock.advance(7 * DAY);
  await play(joe, 2000);
  await play(maya, 1310);
  expect(await tellPassed(t), 'the first look of a week').toBe(0);
});
