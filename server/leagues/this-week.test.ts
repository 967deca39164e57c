import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  aGame,
  goToMidweek,
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { watchQueries } from '#testing/app/query-cost.ts';
import { testApp } from '#testing/app/test-app.ts';
import { recordReport } from '../machines/report.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { generateSchedule } from './schedule.ts';
import { readLeagueStats } from './this-week.ts';

const { t, ago } = midweekApp();

const get = async (player: { id: number }, path: string) =>
  t.call('GET', path, { as: await makeSession(t, player) });
const stats = async (player: { id: number }) => {
  const answer = await get(player, '/api/leaderboards/user-league-stats/');
  expect(answer.status).toBe(200);
  return answer.body;
};
const hourly = (scores: number[]) =>
  scores.map((score, at) => ({ score, played_at: ago((scores.length - at) * HOUR) }));
const countsOf = (games: { outcome: unknown }[]) =>
  games.map(({ outcome }) => (outcome as { counts?: string; status: string }).counts ?? 'held');

test('the response describes the whole week of two teams', async () => {
  const [ann, bob, cy, dan] = [
    await makePlayer(t, { username: 'ann' }),
    await makePlayer(t, { username: 'bob' }),
    await makePlayer(t, { username: 'cy1' }),
    await makePlayer(t, { username: 'dan' }),
  ];
  const league = await makeLeague(t);
  await makeTeam(t, league, [ann, bob, cy], { name: 'Brick City Bankers' });
  await makeTeam(t, league, [dan], { name: 'Rim Reapers' });
  const week = weekOf(t.clock.now(), 'UTC');
  await generateSchedule(t, league, { weeks: 1, from: week });
  const machine = await makeMachine(t);
  await makeGames(t, machine, ann, hourly([310, 295, 402, 251, 388]));
  await makeGames(t, machine, bob, hourly([1395, 0, 0, 0]));
  await makeGames(t, machine, dan, hourly([100, 101]));

  expect(await stats(ann)).toEqual({
    season: {
      name: 'Season 1',
      state: 'running',
      place: null,
      champion: false,
      teams: 2,
      entered: true,
      settles_at: null,
      next_starts_on: null,
      postponed: null,
    },
    team_name: 'Brick City Bankers',
    teammates: [
      {
        username: 'bob',
        weekly_games_played: 4,
        weekly_avg_score: 348.8,
        weekly_total_score: 1395,
        nudge: null,
      },
      {
        username: 'ann',
        weekly_games_played: 5,
        weekly_avg_score: 329.2,
        weekly_total_score: 1395,
        nudge: null,
      },
      {
        username: 'cy1',
        weekly_games_played: 0,
        weekly_avg_score: 0,
        weekly_total_score: 0,
        nudge: null,
      },
    ],
    team_total_games_played: 9,
    team_max_possible_games: 24,
    team_avg: 337.9,
    team_total_score: 2790,
    opponent: {
      name: 'Rim Reapers',
      total_games_played: 2,
      max_possible_games: 8,
      team_avg: 100.5,
      total_score: 201,
    },
    week_opens_at: startOf(week, 'UTC').toISOString(),
    week_closes_at: startOf(addDays(week, 7), 'UTC').toISOString(),
    nudged: null,
    season_starts_at: null,
    me: { league_games_left: 3, fourth_best: 295 },
    max_score: t.config.max_score,
    invite: null,
    full: false,
    membership: null,
  });
  expect((await stats(dan)).opponent).toEqual({
    name: 'Brick City Bankers',
    total_games_played: 9,
    max_possible_games: 24,
    team_avg: 337.9,
    total_score: 2790,
  });
  expect((await stats(dan)).me).toEqual({ league_games_left: 6, fourth_best: null });
});

test('every league route answers 400 to a player without a team', async () => {
  const player = await makePlayer(t);
  for (const path of [
    '/api/leaderboards/user-league-stats/',
    '/api/leaderboards/user-league-season/',
    '/api/leaderboards/?scope=league',
  ]) {
    const answer = await get(player, path);
    expect([path, answer.status, answer.body]).toEqual([
      path,
      400,
      { detail: 'You are not on a team.' },
    ]);
  }
});

test('a bye and a week without matchups have no opponent', async () => {
  const [one, two, three] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const league = await makeLeague(t);
  for (const player of [one, two, three]) await makeTeam(t, league, [player]);
  expect((await stats(one)).opponent).toBeNull();
  await generateSchedule(t, league, { weeks: 1, from: weekOf(t.clock.now(), 'UTC') });
  const opponents = [];
  for (const player of [one, two, three]) opponents.push((await stats(player)).opponent);
  expect(opponents.filter((opponent) => opponent === null)).toHaveLength(1);
});

test('the ninth game of a week does not count, and a late game replaces one that was played later', async () => {
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  await makeTeam(t, league, [player]);
  const machine = await makeMachine(t);
  const nine = await makeGames(t, machine, player, hourly([1, 2, 3, 4, 5, 6, 7, 8, 900]));
  expect(countsOf(nine)).toEqual([...Array.from({ length: 8 }, () => 'league'), 'over_8']);
  expect(await stats(player)).toMatchObject({
    team_total_games_played: 8,
    team_total_score: 26,
    me: { league_games_left: 0, fourth_best: 5 },
  });
  // With this earlier game, today's eighth game becomes the ninth.
  const late = await makeGames(t, machine, player, [{ score: 50, played_at: ago(DAY) }]);
  expect(countsOf(late)).toEqual(['league']);
  expect(await stats(player)).toMatchObject({
    team_total_games_played: 8,
    team_total_score: 50 + 7 + 6 + 5,
  });
});

test('before a league begins, games count for no team and no league games are left', async () => {
  const player = await makePlayer(t);
  const monday = addDays(weekOf(t.clock.now(), 'UTC'), 7);
  const league = await makeLeague(t, { starts: monday });
  await makeTeam(t, league, [player]);
  const machine = await makeMachine(t);
  // The machine hears `no_team`; the player reads why (SEASON-05).
  expect(countsOf(await makeGames(t, machine, player, [{}]))).toEqual(['no_team']);
  expect((await get(player, '/api/users/profile/games/')).body.results).toMatchObject([
    { counts: 'off_season' },
  ]);
  expect(await stats(player)).toMatchObject({
    team_total_games_played: 0,
    opponent: null,
    season_starts_at: `${monday}T00:00:00.000Z`,
    me: { league_games_left: 0, fourth_best: null },
  });
  const season = await get(player, '/api/leaderboards/user-league-season/');
  expect(season.body).toMatchObject({ week: 0, weeks: 0 });
  const { body } = await t.call('GET', `/api/machine/players/${player.uuid}/`, {
    as: { key: machine.key },
  });
  expect(body).toMatchObject({ league_games_left: 0, league_mode_enabled: true });
});

test('games stay with the team that they were played for, and former members are listed', async () => {
  const [mover, stayer, host] = [
    await makePlayer(t, { username: 'mover' }),
    await makePlayer(t, { username: 'stayer' }),
    await makePlayer(t, { username: 'host' }),
  ];
  const league = await makeLeague(t);
  const old = await makeTeam(t, league, [mover, stayer]);
  const other = await makeTeam(t, league, [host]);
  const machine = await makeMachine(t);
  await makeGames(t, machine, mover, hourly([100, 200, 300, 400, 500, 600]));
  await joinTeam(t, other, [mover], ago(HOUR / 2));
  const after = await makeGames(
    t,
    machine,
    mover,
    [20, 15, 10].map((minutes) => ({ score: 50, played_at: ago(minutes * 60_000) })),
  );
  // A player has eight games a week, for all teams together.
  expect(countsOf(after)).toEqual(['league', 'league', 'over_8']);

  const left = await stats(stayer);
  expect(left.teammates).toEqual([
    {
      username: 'mover',
      weekly_games_played: 6,
      weekly_avg_score: 350,
      weekly_total_score: 1800,
      former: true,
      nudge: null,
    },
    {
      username: 'stayer',
      weekly_games_played: 0,
      weekly_avg_score: 0,
      weekly_total_score: 0,
      nudge: null,
    },
  ]);
  expect(left).toMatchObject({
    team_name: old.name,
    team_total_games_played: 6,
    team_max_possible_games: 8,
    team_total_score: 1800,
  });
  const joined = await stats(mover);
  expect(joined).toMatchObject({
    team_name: other.name,
    team_total_games_played: 2,
    team_max_possible_games: 16,
    team_total_score: 100,
    me: { league_games_left: 0, fourth_best: null },
  });
  expect(joined.teammates.map(({ username }: { username: string }) => username)).toEqual([
    'mover',
    'host',
  ]);
});

test('games of former members count for an opponent, but former members have no games left to play', async () => {
  const [me, rival, mover, gone] = [
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
  ];
  const league = await makeLeague(t);
  await makeTeam(t, league, [me]);
  const other = await makeTeam(t, league, [rival, mover, gone]);
  const third = await makeTeam(t, league, []);
  await generateSchedule(t, league, { weeks: 3, from: weekOf(t.clock.now(), 'UTC') });
  await sql`delete from matchup_sides where league_id = ${league.id}`.execute(t.db);
  const week = weekOf(t.clock.now(), 'UTC');
  const [mine] = (
    await sql<{ id: number }>`select team_id as id from players where id = ${me.id}`.execute(t.db)
  ).rows;
  await sql`
    insert into matchup_sides (league_id, team_id, week, opponent_id, home)
    values (${league.id}, ${mine?.id}, ${week}::date, ${other.id}, true),
      (${league.id}, ${other.id}, ${week}::date, ${mine?.id}, false),
      (${league.id}, ${third.id}, ${week}::date, null, true)`.execute(t.db);
  const machine = await makeMachine(t);
  await makeGames(t, machine, rival, hourly([100]));
  await makeGames(t, machine, mover, hourly([200, 300]));
  await makeGames(t, machine, gone, hourly([401]));
  await joinTeam(t, third, [mover], ago(HOUR / 2));
  await t.db.deleteFrom('players').where('id', '=', gone.id).execute();
  expect((await stats(me)).opponent).toEqual({
    name: other.name,
    total_games_played: 4,
    max_possible_games: 8,
    team_avg: 250.3,
    total_score: 1001,
  });
  expect((await stats(mover)).opponent).toBeNull();
});

test('one batch can have leagues of several zones, and a zone seen for the first time', async () => {
  const [here, far] = [await makePlayer(t), await makePlayer(t)];
  await makeTeam(t, await makeLeague(t), [here]);
  await makeTeam(t, await makeLeague(t, { timezone: 'Pacific/Chatham' }), [far]);
  const ids = [far.id, here.id, 0];
  const closes = (zone: string) =>
    startOf(addDays(weekOf(t.clock.now(), zone), 7), zone).toISOString();
  for (const _ of ['first', 'again'])
    expect((await readLeagueStats(t, ids)).map((found) => found?.week_closes_at)).toEqual([
      closes('Pacific/Chatham'),
      closes('UTC'),
      undefined,
    ]);
});

test('a zone that only the database knows breaks no other league', async () => {
  const [here, lost] = [await makePlayer(t), await makePlayer(t)];
  await makeTeam(t, await makeLeague(t), [here]);
  const league = await makeLeague(t);
  await makeTeam(t, league, [lost]);
  await sql`update leagues set timezone = 'HOOP3' where id = ${league.id}`.execute(t.db);
  await expect(readLeagueStats(t, [lost.id])).rejects.toThrow(RangeError);
  expect(await readLeagueStats(t, [here.id])).toMatchObject([{ season_starts_at: null }]);
});

test('the games of a deleted account still count for the team, without the player’s name', async () => {
  const [leaver, other, stayer] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const league = await makeLeague(t);
  await makeTeam(t, league, [leaver, other, stayer]);
  const machine = await makeMachine(t);
  await makeGames(t, machine, leaver, hourly([300]));
  await makeGames(t, machine, other, hourly([200]));
  for (const { id } of [leaver, other])
    await t.db.deleteFrom('players').where('id', '=', id).execute();
  const body = await stats(stayer);
  expect(body).toMatchObject({
    team_total_games_played: 2,
    team_max_possible_games: 8,
    team_total_score: 500,
  });
  expect(body.teammates.slice(0, 2)).toMatchObject([
    { username: 'Former player', weekly_total_score: 300, former: true },
    { username: 'Former player 2', weekly_total_score: 200, former: true },
  ]);
});

test('REL-15: a week closes at local midnight on Monday, across a change of the clocks', async () => {
  const berlin = await testApp();
  const player = await makePlayer(berlin);
  const league = await makeLeague(berlin, { timezone: 'Europe/Berlin' });
  await makeTeam(berlin, league, [player]);
  const machine = await makeMachine(berlin);
  // 21:30 UTC on March's last Sunday: 23:30 in Berlin, on a day of 23 hours.
  const year = berlin.clock.now().getUTCFullYear() + 1;
  const lastOfMarch = new Date(Date.UTC(year, 2, 31));
  const sunday = new Date(Date.UTC(year, 2, 31 - lastOfMarch.getUTCDay(), 21, 30));
  berlin.clock.advance(sunday.getTime() - berlin.clock.now().getTime());
  const play = async (score: number) => {
    await makeGames(berlin, machine, player, [{ score, played_at: berlin.clock.now() }]);
    const answer = await berlin.call('GET', '/api/leaderboards/user-league-stats/', {
      as: await makeSession(berlin, player),
    });
    return [answer.body.team_total_score, answer.body.week_closes_at];
  };
  const closes = new Date(sunday.getTime() + HOUR / 2).toISOString();
  expect(await play(10)).toEqual([10, closes]);
  berlin.clock.advance(20 * 60_000);
  expect(await play(20)).toEqual([30, closes]);
  berlin.clock.advance(10 * 60_000);
  const nextCloses = new Date(sunday.getTime() + HOUR / 2 + 7 * DAY).toISOString();
  expect(await play(40)).toEqual([40, nextCloses]);
  await berlin.close();
});

test('the league stats take one query and one more for nudges, however long the history', async () => {
  const big = await testApp();
  // Thursday, when team mates can be nudged.
  goToMidweek(big);
  big.clock.advance(DAY);
  const players = await Promise.all(Array.from({ length: 8 }, () => makePlayer(big)));
  const league = await makeLeague(big);
  const team = await makeTeam(big, league, players.slice(0, 4));
  const rival = await makeTeam(big, league, players.slice(4));
  await generateSchedule(big, league, { weeks: 1, from: weekOf(big.clock.now(), 'UTC') });
  const [me] = players;
  if (me === undefined) throw new Error('no player');
  // The first read with a new zone takes a second query.
  await readLeagueStats(big, [me.id]);

  const costsOf = watchQueries(big, /./);
  const cost = async () => {
    const costs = await costsOf(() => readLeagueStats(big, [me.id]));
    expect(costs).toHaveLength(2);
    return costs.reduce((sum, { pages }) => sum + pages, 0);
  };
  await sql`analyze`.execute(big.db);
  const before = await cost();
  await sql`
    insert into league_weeks (team_id, week, player_id, games_played, score_sum, total, fourth_best)
    select t, ${weekOf(big.clock.now(), 'UTC')}::date - 7 * w, p, 8, 3000, 2000, 400
    from unnest(${[team.id, rival.id]}::integer[]) t, generate_series(1, 520) w,
      generate_series(100000, 100019) p`.execute(big.db);
  const machine = await makeMachine(big);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, week, team_id, received_at,
      state, digest, venue_id)
    select ${machine.id}, gen_random_uuid(), ${me.id}, 100, at, at::date, date_trunc('week', at)::date,
      ${team.id}, at, 'counted', sha256('game'), ${machine.venue_id}
    from generate_series(1, 5000) n, lateral (
      select ${big.clock.now()}::timestamptz - interval '8 days' - n * interval '6 hours' as at
    ) played`.execute(big.db);
  await sql`analyze`.execute(big.db);
  expect(await cost()).toBeLessThanOrEqual(before + 20);
  await big.close();
});

test('two machines that report concurrently for one player lose no game', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const machines = [await makeMachine(t), await makeMachine(t)];
  await Promise.all(
    machines.flatMap((machine, at) =>
      Array.from({ length: 6 }, (_, game) =>
        recordReport(t, machine, [
          aGame(t, player, {
            score: 10,
            played_at: ago(((at + 1) * 10 + game) * 60_000).toISOString(),
          }),
        ]),
      ),
    ),
  );
  expect(await stats(player)).toMatchObject({
    team_total_games_played: 8,
    team_total_score: 40,
    me: { league_games_left: 0 },
  });
});
