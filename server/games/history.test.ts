import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { GAMES_PAGE } from '#contract/rules/games.ts';
import type { PlayedGame } from '#contract/wire/games.ts';
import {
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
  numberOf,
  setLeagueMode,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { watchQueries } from '#testing/app/query-cost.ts';
import { testApp } from '#testing/app/test-app.ts';
import { discardGame, releaseGame, restoreGame, voidGame } from './corrections.ts';

const { t, ago } = midweekApp();

const read = async (player: { id: number }, cursor?: string | null) =>
  t.call(
    'GET',
    `/api/users/profile/games/${cursor == null ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
    { as: await makeSession(t, player) },
  );

test('each game comes with its machine, its venue, its team and what it counted for', async () => {
  const player = await makePlayer(t);
  const team = await makeTeam(t, await makeLeague(t), [player], { name: 'Brick City Bankers' });
  const machine = await makeMachine(t, { name: 'Hoop 2', venue: 'Dockside Arcade' });
  const [game] = await makeGames(t, machine, player, [{ score: 388, played_at: ago(HOUR) }]);
  const answer = await read(player);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    results: [
      {
        id: game?.id,
        score: 388,
        played_at: game?.played_at.toISOString(),
        machine: 'Hoop 2',
        venue: 'Dockside Arcade',
        counts: 'league',
        place: 1,
        team: team.name,
        also: [],
        duels: [],
        landed_at: expect.any(String),
        late: true,
        released: false,
        beat: null,
        shots: null,
        seconds: null,
        report: null,
        report_reason: null,
        report_text: null,
      },
    ],
    next: null,
    games_played: 1,
    highscore: 388,
    since: game?.played_at.toISOString(),
    read_at: expect.any(String),
  });
});

test('a player without games has an empty page', async () => {
  const answer = await read(await makePlayer(t));
  expect(answer.body).toEqual({
    results: [],
    next: null,
    games_played: 0,
    highscore: null,
    since: null,
    read_at: expect.any(String),
  });
});

test('GAME-06: each game shows what it counts for, or why it does not count', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  const team = await makeTeam(t, league);
  await joinTeam(t, team, [player], ago(20 * DAY));
  await setLeagueMode(t, player, false, ago(12 * DAY));
  await setLeagueMode(t, player, true, ago(11 * DAY));
  const machine = await makeMachine(t);
  const monday = ago(10 * DAY);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) + 7);
  monday.setUTCHours(12, 0, 0, 0);
  const scores = [10, 90, 50, 50, 20, 80, 70, 60, 999];
  const games = await makeGames(t, machine, player, [
    ...scores.map((score, at) => ({
      score,
      played_at: new Date(monday.getTime() + at * 600_000),
    })),
    { score: 10_001, played_at: new Date(monday.getTime() + 2 * HOUR) },
    { score: 1, played_at: new Date(monday.getTime() + 3 * HOUR) },
    { score: 20_002, played_at: new Date(monday.getTime() + 4 * HOUR) },
    { score: 2, played_at: ago(11.5 * DAY) },
    { score: 3, played_at: ago(30 * DAY) },
  ]);
  await voidGame(t, games[10]?.seq ?? 0);
  await discardGame(t, games[11]?.seq ?? 0);
  const { body } = await read(player);
  const fates = new Map(
    body.results.map((row: { id: string; counts: string; place: number | null; team: string }) => [
      row.id,
      `${row.counts} ${row.place} ${row.team}`,
    ]),
  );
  expect(games.map(({ id }) => fates.get(id))).toEqual([
    `bench 8 ${team.name}`,
    `league 1 ${team.name}`,
    // Of equal scores, the earlier ranks higher.
    `bench 5 ${team.name}`,
    `bench 6 ${team.name}`,
    `bench 7 ${team.name}`,
    `league 2 ${team.name}`,
    `league 3 ${team.name}`,
    `league 4 ${team.name}`,
    `over_8 null ${team.name}`,
    `held null ${team.name}`,
    `void null ${team.name}`,
    `void null ${team.name}`,
    'league_mode_off null null',
    'no_team null null',
  ]);
});

test('HAND-01, HAND-17: a game’s landing time is when it was last received, released or restored', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const start = t.clock.now();
  const games = await makeGames(t, machine, player, [
    { score: 300, played_at: ago(28 * 60_000) },
    { score: 10_001, played_at: ago(29 * 60_000), duration_s: 44.6 },
    { score: 400, played_at: ago(31 * 60_000) },
  ]);
  const [first, held, late] = games.map(({ id }) => id);
  type Row = Pick<PlayedGame, 'id' | 'counts' | 'landed_at' | 'late' | 'released' | 'seconds'>;
  const landings = async () => {
    const { body } = await read(player);
    return Object.fromEntries(
      body.results.map(({ id, landed_at, ...row }: Row) => [
        id,
        { ...row, landed: Math.round((Date.parse(landed_at) - start.getTime()) / HOUR) },
      ]),
    );
  };
  const row = { landed: 0, late: false, released: false, seconds: null };
  expect(await landings()).toMatchObject({
    [first ?? '']: row,
    [held ?? '']: { ...row, counts: 'held', seconds: 45 },
    [late ?? '']: { ...row, late: true },
  });
  t.clock.advance(HOUR);
  await releaseGame(t, await numberOf(t, held));
  await voidGame(t, await numberOf(t, first));
  expect(await landings()).toMatchObject({
    [first ?? '']: { ...row, counts: 'void' },
    [held ?? '']: { landed: 1, released: true, counts: 'no_team' },
    [late ?? '']: { landed: 0 },
  });
  t.clock.advance(HOUR);
  await restoreGame(t, await numberOf(t, first));
  expect(await landings()).toMatchObject({
    [first ?? '']: { landed: 2, released: false, counts: 'no_team' },
    [late ?? '']: { landed: 0 },
  });
});

test('paging neither skips nor repeats a game, even among games of the same time', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const games = [];
  for (let day = 0; day < 3; day += 1)
    games.push(
      ...(await makeGames(
        t,
        machine,
        player,
        Array.from({ length: 35 }, (_, at) => ({ played_at: ago(day * DAY + (at >> 3) * HOUR) })),
      )),
    );
  const seen: string[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const { status, body } = await read(player, cursor);
    expect(status).toBe(200);
    seen.push(...body.results.map(({ id }: { id: string }) => id));
    cursor = body.next;
    pages += 1;
  } while (cursor !== null);
  expect(pages).toBe(Math.ceil(games.length / GAMES_PAGE));
  expect(seen).toEqual(
    games
      .toSorted((a, b) => b.played_at.getTime() - a.played_at.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id),
  );
});

test('a game that arrives between two pages causes no repeat', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  await makeGames(
    t,
    machine,
    player,
    Array.from({ length: GAMES_PAGE + 5 }, (_, at) => ({ played_at: ago((at + 1) * HOUR) })),
  );
  const first = await read(player);
  await makeGames(t, machine, player, [{ played_at: ago(60_000) }]);
  const second = await read(player, first.body.next);
  expect(second.body.results).toHaveLength(5);
  expect(second.body.next).toBeNull();
});

test('API-15: a cursor that was not made for this player gets 400', async () => {
  const [player, other] = [await makePlayer(t), await makePlayer(t)];
  const machine = await makeMachine(t);
  const many = Array.from({ length: GAMES_PAGE + 1 }, (_, at) => ({ played_at: ago(at * HOUR) }));
  await makeGames(t, machine, player, many);
  const { body } = await read(player);
  const own: string = body.next;
  const wrong = [
    '0',
    'null',
    `${own}x`,
    own.slice(0, -1),
    own.replace(/^\d/, (digit) => String((Number(digit) + 1) % 10)),
    own.toUpperCase(),
    `${own},${own}`,
    "' or 1=1 --",
    '\0',
    'x'.repeat(300),
  ];
  for (const cursor of wrong) {
    const answer = await read(player, cursor);
    expect([cursor, answer.status]).toEqual([cursor, 400]);
    expect(Object.keys(answer.body)).toHaveLength(1);
  }
  expect((await read(player, '')).body.results).toEqual(body.results);
  expect((await read(other, own)).status).toBe(400);
  expect((await read(player, own)).status).toBe(200);
});

test('a request for games stays cheap after thousands of games', async () => {
  const app = await testApp();
  const player = await makePlayer(app);
  const team = await makeTeam(app, await makeLeague(app), [player]);
  const machine = await makeMachine(app);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      team_id, week)
    select ${machine.id}, gen_random_uuid(), ${player.id}, n % 900, at, at::date, at, 'counted',
      sha256(n::text::bytea), ${team.id}, date_trunc('week', at at time zone 'UTC')::date
    from generate_series(1, 8000) n, lateral (select now() - n * interval '20 minutes' as at) a`.execute(
    app.unlimited,
  );
  await sql`analyze`.execute(app.db);
  const session = await makeSession(app, player);
  const pages: string[] = [];
  const costsOf = watchQueries(app, /\bgames\b/);
  const get = (cursor = '') =>
    app.call('GET', `/api/users/profile/games/${cursor}`, { as: session });
  const costs = await costsOf(async () => {
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await get(cursor);
      expect(body.results).toHaveLength(GAMES_PAGE);
      cursor = `?cursor=${encodeURIComponent(body.next)}`;
      pages.push(body.results[0].id);
    }
  });
  expect(new Set(pages).size).toBe(3);
  expect(costs).toHaveLength(9);
  // Pages of PostgreSQL: a scan of the table reads more than a thousand.
  for (const { text, pages } of costs) expect(pages, text).toBeLessThan(300);
  await app.close();
});
