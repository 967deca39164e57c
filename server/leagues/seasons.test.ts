import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { RunningAnswer } from '#contract/wire/contests.ts';
import type { CupForStaff } from '#contract/wire/cups.ts';
import type { LeaguePage, LeagueSeason, LeaguesAnswer, Matchup } from '#contract/wire/leagues.ts';
import type { PlayerPage } from '#contract/wire/players.ts';
import type { SeasonForStaff, SeasonListed, SeasonPage } from '#contract/wire/seasons.ts';
import type { Tonight } from '#contract/wire/tonight.ts';
import {
  aGame,
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeStaff,
  makeTeam,
  numberOf,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { findNamed } from '../db/reference.ts';
import { readSeasonSlide } from '../screens/season-slide.ts';
import { addDays, weekOf } from './calendar.ts';
import { TEAMS } from './leagues.ts';
import { removeFromTeam } from './rosters.ts';
import { generateSchedule } from './schedule.ts';
import { endSeasons } from './season-end.ts';
import { clearMarks } from './season-offer.ts';

const { t, ago } = midweekApp();

type Player = Awaited<ReturnType<typeof makePlayer>>;

/** Two teams of one player each, which have met for `weeks` weeks including this one. */
async function season({ weeks = 3, teams = 2 } = {}) {
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -7 * (weeks - 1)) });
  const players: Player[] = [];
  for (let at = 0; at < teams; at += 1) {
    const player = await makePlayer(t);
    players.push(player);
    await makeTeam(t, league, [player], { name: 'ABCDEFGH'[at] });
  }
  await generateSchedule(t, league, { weeks });
  const machine = await makeMachine(t);
  const operator = async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
    const query =
      method === 'GET' && body ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
    // Sign in again, because a staff session ends when the clock moves on by days.
    const staff = await makeStaff(t);
    const answer = await t.call(method, `/api/operator/${path}${query}`, {
      headers: staff.headers,
      ...(method === 'POST' ? { body } : {}),
    });
    return { status: answer.status, body: answer.body as T & { detail?: string } };
  };
  const listed = async () =>
    (await operator<{ results: SeasonListed[] }>('GET', 'seasons/', { league: league.name })).body
      .results;
  const page = async (at = 0) =>
    (
      await operator<SeasonForStaff>('GET', 'seasons/page/', {
        season: (await listed())[at]?.id ?? '',
      })
    ).body;
  const play = (player: Player | undefined, score: number, played_at: Date) =>
    makeGames(t, machine, player as Player, [{ score, played_at }]);
  /** The number of league games left, with which the machine greets the player (MACH-02). */
  const gamesLeft = async (player: Player | undefined): Promise<number> =>
    (
      await t.call('GET', `/api/machine/players/${player?.uuid}/`, {
        as: { key: machine.key },
      })
    ).body.league_games_left;
  return { league, week, players, machine, operator, listed, page, play, gamesLeft };
}

const get = async (player: Player | undefined, path: string) =>
  t.call('GET', path, { as: await makeSession(t, player as Player) });

/** Runs `work` with the clock moved by `ms`, and moves it back. */
async function at<T>(ms: number, work: () => Promise<T>): Promise<T> {
  t.clock.advance(ms);
  try {
    return await work();
  } finally {
    t.clock.advance(-ms);
  }
}

test('SEASON-01: a new league runs its first season, which does not end by itself', async () => {
  const { listed, players } = await season();
  expect(await listed()).toMatchObject([
    { number: 1, name: 'Season 1', state: 'running', ends: 'open', last_week: null, version: 0 },
  ]);
  await at(700 * DAY, async () => {
    expect(await endSeasons(t)).toBe(0);
    expect(
      (await get(players[0], '/api/leaderboards/user-league-season/')).body.season,
    ).toMatchObject({ state: 'running', ends_on: null, next: null });
  });
});

test('SEASON-11: players read which criterion decides between equal wins', async () => {
  const { listed, operator, players, week } = await season();
  const [{ id } = { id: '' }] = await listed();
  // The criterion is fixed once a week of the season is over.
  await sql`update seasons set starts_on = ${week} where id = ${id}`.execute(t.db);
  const read = async () => [
    (await get(players[0], '/api/leaderboards/user-league-season/')).body.season.tie_break,
    (await get(players[0], `/api/seasons/${id}/`)).body.tie_break,
  ];
  expect(await read()).toEqual(['total', 'total']);
  await operator('POST', 'seasons/change/', { season: id, tie_break: 'head_to_head' });
  expect(await read()).toEqual(['head_to_head', 'head_to_head']);
});

test('SEASON-02, SEASON-03, SEASON-07, SEASON-20, SEASON-21, SEASON-23, SEASON-24, SEASON-31: a season becomes final automatically after grace', async () => {
  const { league, operator, listed, page, play, players, gamesLeft } = await season();
  await play(players[0], 100, ago(15 * DAY));
  expect(await gamesLeft(players[0])).toBe(8);
  await play(players[1], 90, ago(15 * DAY));
  await play(players[1], 200, ago(8 * DAY));
  expect(
    await operator('POST', 'seasons/change/', {
      season: (await listed())[0]?.id,
      ends: 'schedule',
    }),
  ).toMatchObject({ status: 200 });
  const [{ last_week = null } = {}] = await listed();
  expect(last_week).toBe(weekOf(t.clock.now(), 'UTC'));
  // Wednesday noon: the week ends in 4.5 days, grace three days later.
  await at(5 * DAY, async () => {
    expect(await listed()).toMatchObject([{ state: 'grace' }]);
    expect(await endSeasons(t)).toBe(0);
    expect(await gamesLeft(players[0])).toBe(0);
    const account = String(players[0]?.id);
    expect((await operator('GET', 'players/page/', { account })).body).toMatchObject({
      week: { games: 0, own: 0, total: 0, counts: false },
    });
    const team = { team: `id:${await teamId(league.id, 'A')}` };
    expect((await operator('GET', 'teams/page/', team)).body).toMatchObject({ week: null });
    expect((await get(players[0], '/api/leaderboards/user-league-stats/')).body).toMatchObject({
      team_total_score: 0,
      opponent: null,
      me: { league_games_left: 0 },
      season: { state: 'grace', place: 2, teams: 2, next_starts_on: null },
    });
  });
  await at(8 * DAY, async () => {
    expect(await endSeasons(t)).toBe(1);
    expect(await endSeasons(t)).toBe(0);
  });
  const { season: final, standings, rows } = await page();
  expect(final).toMatchObject({ state: 'final', version: 1, touched: false });
  expect(standings).toEqual([
    { place: 1, team: 'B', won: 1, drawn: 1, lost: 1, total: 290 },
    { place: 2, team: 'A', won: 1, drawn: 1, lost: 1, total: 100 },
  ]);
  expect(rows[1]).toMatchObject({ team: 'A', by: 'total', note: null, withdrew: false });
  const id = final.id;
  const mine = (await get(players[1], `/api/seasons/${id}/`)).body as SeasonPage;
  expect(mine).toMatchObject({
    champions: ['B'],
    mine: { team: 'B', place: 1 },
    corrections: [],
    best_games: [{ score: 200, team: 'B' }, { score: 100 }, { score: 90 }],
  });
  expect(mine.awards.find(({ key }) => key === 'best_game')).toMatchObject({
    value: 200,
    week: 2,
    winners: [{ username: players[1]?.username, mine: true }],
    more: 0,
  });
  expect((await get(players[1], '/api/seasons/')).body.results).toMatchObject([
    {
      id,
      league: league.name,
      state: 'final',
      team: 'B',
      place: 1,
      teams: 2,
      games: 2,
      total: 290,
      best_game: 200,
    },
  ]);
  const stranger = await makePlayer(t);
  expect(await get(stranger, `/api/seasons/${id}/`)).toMatchObject({
    status: 404,
    body: { detail: 'No such season.' },
  });
});

test('SEASON-24, CUP-13: the winner of the season’s cup is the champion, and without a winner nobody', async () => {
  const { league, operator, page, play, players } = await season();
  await play(players[0], 300, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const { id } = (await page()).season;
  const { rows } = await sql<{ id: number }>`
    insert into cups (league_id, season_id, kind, name, best, "of", per_player, third, windows,
      created_at)
    values (${league.id}, ${id}, 'teams', 'Finals', 4, 8, 8, false, 'hours', ${t.clock.now()})
    returning id`.execute(t.db);
  const cup = rows[0]?.id;
  await sql`insert into cup_sides (cup_id, seed, team_id, name)
    select ${cup}, row_number() over (order by id), id, name from teams
    where league_id = ${league.id}`.execute(t.db);
  const seen = async (player: Player | undefined) => {
    const { body } = await get(player, `/api/seasons/${id}/`);
    const own = (await get(player, '/api/seasons/')).body.results[0]?.champion;
    const stats = await get(player, '/api/leaderboards/user-league-stats/');
    const console = await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name });
    expect(console.body.won).toEqual({
      season_id: id,
      season: 'Season 1',
      champions: body.champions,
      no_champion: body.no_champion,
    });
    return [body.champions, body.won_table, own, stats.body.season.champion];
  };
  expect(await seen(players[0])).toEqual([[], ['A'], false, false]);
  const isWithout = async () => {
    const { no_champion } = (await get(players[0], `/api/seasons/${id}/`)).body;
    expect((await page()).no_champion).toBe(no_champion);
    return no_champion;
  };
  expect(await isWithout()).toBe(false);
  await sql`update cups set final_at = ${t.clock.now()} where id = ${cup}`.execute(t.db);
  expect(await seen(players[0])).toEqual([[], ['A'], false, false]);
  expect(await isWithout()).toBe(true);
  await sql`update cups set winner_seed = 2, final_at = ${t.clock.now()}
    where id = ${cup}`.execute(t.db);
  expect(await seen(players[0])).toEqual([['B'], ['A'], false, false]);
  expect(await isWithout()).toBe(false);
  await play(players[1], 100, ago(8 * DAY));
  expect(await seen(players[1])).toEqual([['B'], ['A'], true, true]);
  await sql`delete from cups where id = ${cup}`.execute(t.db);
  expect(await seen(players[0])).toEqual([['A'], [], true, true]);
});

test('SEASON-03, SEASON-52: a planned season begins in the running week only if staff say so, and stored games do not change', async () => {
  const { league, week, operator, listed, page, play, players } = await season({ weeks: 2 });
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const now = { league: league.name, starts: week, weeks: 2 };
  expect((await operator('POST', 'seasons/next/preview/', now)).body).toMatchObject({
    starts_on: week,
    begins_at_once: true,
  });
  expect(await operator('POST', 'seasons/next/', now)).toMatchObject({
    status: 400,
    body: { starts: [expect.stringMatching(/^This week has begun: the season would run at once/)] },
  });
  const next = { ...now, starts: addDays(week, 7) };
  expect((await operator('POST', 'seasons/next/preview/', next)).body).toMatchObject({
    begins_at_once: false,
  });
  expect(await operator('POST', 'seasons/next/', next)).toMatchObject({ status: 200 });
  await play(players[0], 300, ago(HOUR));
  const { id } = (await page(1)).season;
  const begin = { season: id, starts: week };
  expect(await operator('POST', 'seasons/change/', begin)).toMatchObject({
    status: 400,
    body: { starts: [expect.stringMatching(/^This week has begun: the season would run at once/)] },
  });
  expect(await operator('POST', 'seasons/change/', { ...begin, name: 'Spring' })).toMatchObject({
    status: 400,
  });
  expect((await listed())[1]).toMatchObject({ name: 'Season 2', state: 'planned' });
  const past = { season: id, starts: addDays(week, -7), at_once: true };
  expect(await operator('POST', 'seasons/change/', past)).toMatchObject({ status: 400 });
  expect(await operator('POST', 'seasons/change/', { ...begin, at_once: true })).toMatchObject({
    status: 200,
  });
  expect((await listed())[1]).toMatchObject({ state: 'running', starts_on: week });
  await play(players[0], 40, ago(HOUR));
  expect((await page(1)).schedule[0]?.matchups[0]).toMatchObject({ home_total: 40 });
});

test('SEASON-52: the next season begins in the running week of the league’s zone if staff say so', async () => {
  const { league, week, operator, listed } = await season({ weeks: 2 });
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const next = { league: league.name, starts: week, weeks: 2, at_once: true };
  expect(await operator('POST', 'seasons/next/', next)).toMatchObject({ status: 200 });
  expect(await listed()).toMatchObject([
    { current_week: week },
    { state: 'running', current_week: week },
  ]);
  const { timezone } = await t.db
    .updateTable('leagues')
    .set({ timezone: 'Pacific/Kiritimati' })
    .where('id', '=', league.id)
    .returning('timezone')
    .executeTakeFirstOrThrow();
  // It is Sunday noon in UTC, but Monday in the league's zone.
  await at(4 * DAY, async () => {
    expect(weekOf(t.clock.now(), 'UTC')).toBe(week);
    expect(await listed()).toMatchObject([{}, { current_week: weekOf(t.clock.now(), timezone) }]);
    expect((await listed())[0]?.current_week).toBe(addDays(week, 7));
  });
});

test('SEASON-21: held games and reports keep a season open, for 14 days at most', async () => {
  const { league, operator, page, play, players } = await season();
  await operator('POST', 'seasons/change/', { season: (await page()).season.id, ends: 'schedule' });
  await play(players[0], 1_000_000, ago(HOUR));
  const other = await makeMachine(t, { venue: 'Elsewhere' });
  const playedAt = ago(HOUR);
  await makeGames(t, other, players[1] as Player, [{ score: 1_000_000, played_at: playedAt }]);
  const [game] = await makeGames(t, other, players[1] as Player, [
    { score: 100, played_at: playedAt },
  ]);
  await t.db
    .insertInto('game_reports')
    .values({
      machine_id: other.id,
      game_id: String(game?.id),
      player_id: players[1]?.id ?? 0,
      reason: 'not_mine',
      reported_at: t.clock.now(),
    })
    .execute();
  await at(8 * DAY, async () => {
    expect((await page()).open).toEqual({ held: 2, complaints: 1 });
    expect(await endSeasons(t)).toBe(0);
    const { id } = (await page()).season;
    const tonight = async (query: object = {}) => {
      const { body } = await operator<Tonight>('GET', 'tonight/', query);
      return body.seasons.find(({ league_id }) => league_id === String(league.id));
    };
    const named = { id, league_id: String(league.id), league: league.name, name: 'Season 1' };
    const open = { held: 2, complaints: 1 };
    expect(await tonight()).toEqual({ ...named, ...open, here: open });
    expect(await tonight({ venue: 'Elsewhere' })).toEqual({
      ...named,
      ...open,
      here: { held: 1, complaints: 1 },
    });
  });
  await at(22 * DAY, async () => {
    await endSeasons(t);
    expect((await page()).season).toMatchObject({ state: 'final' });
  });
});

test('SEASON-25, SEASON-26, FRAME-02, P104: voiding a game of a final season changes its table only by a correction, and never its cup', async () => {
  const { league, week, operator, page, play, players } = await season();
  const [won] = await play(players[0], 300, ago(8 * DAY));
  await play(players[1], 200, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  expect((await page()).season).toMatchObject({ state: 'final', touched: false });
  const listed = await operator<LeaguesAnswer>('GET', 'leagues/');
  expect(listed.body.results.find(({ name }) => name === league.name)?.champions).toEqual(['A']);
  await makeMachine(t, { venue: 'Cup house' });
  const cup = await operator<{ id: string }>('POST', 'cups/', {
    ...{ name: 'Finals', venue: 'Cup house', from: 'season' },
    season: `${league.name}/Season 1`,
    champion: true,
  });
  expect(cup.status).toBe(201);
  const game = { game: String(await numberOf(t, won?.id)) };
  expect(await operator('POST', 'games/void/', game)).toMatchObject({ status: 200 });
  const touched = await page();
  expect(touched.season.touched).toBe(true);
  expect(touched.standings[0]).toMatchObject({ team: 'A', won: 1, total: 300 });
  expect(touched.changes).toEqual([
    'B: 1 win, not 0, 1st, not 2nd',
    'A: 0 wins, not 1, 0 points, not 300, 2nd, not 1st',
    `Best game: ${players[1]?.username} 200, not ${players[0]?.username} 300`,
    `Best week: ${players[1]?.username} 200, not ${players[0]?.username} 300`,
    // Both players had carried their teams for a week; the lot decides the order.
    expect.stringMatching(`^Carried the team: ${players[1]?.username} 1, not .+, .+ 1$`),
    'Best team week: B 200, not A 300',
    expect.stringMatching(/^Closest matchup: nobody, not (A, B|B, A) 100$/),
  ]);
  await clearMarks(t);
  expect((await page()).season.touched).toBe(true);
  const season_id = touched.season.id;
  const hands = async () =>
    (await operator<Tonight>('GET', 'tonight/')).body.changed_seasons.filter(
      (one) => one.league_id === String(league.id),
    );
  const mark = { id: season_id, league_id: String(league.id), league: league.name };
  expect(await hands()).toEqual([{ ...mark, name: 'Season 1', why: 'game' }]);
  const { body: voided } = await operator<PlayerPage>('GET', 'players/page/', {
    account: String(players[0]?.id),
  });
  expect(voided.games[0]?.week?.final).toEqual({
    id: season_id,
    league_id: String(league.id),
    name: 'Season 1',
  });
  expect(await operator('POST', 'seasons/leave/', { season: season_id })).toMatchObject({
    status: 200,
  });
  expect(await page()).toMatchObject({ season: { touched: false, version: 1 }, changes: [] });
  expect(await hands()).toEqual([]);
  // The offer returns with the next change.
  await operator('POST', 'games/restore/', game);
  await operator('POST', 'games/void/', game);
  expect((await page()).changes).toEqual(touched.changes);
  // A new count equals the stored one: the season is still marked, but there is no offer.
  await operator('POST', 'games/restore/', game);
  expect(await page()).toMatchObject({ season: { touched: true }, changes: [] });
  expect(await clearMarks(t)).toBe(1);
  expect(await page()).toMatchObject({ season: { touched: false }, changes: [] });
  await operator('POST', 'games/void/', game);
  expect((await page()).season.touched).toBe(true);
  expect(await operator('POST', 'seasons/correct/', { season: season_id })).toMatchObject({
    status: 400,
  });
  expect(
    await operator('POST', 'seasons/correct/', {
      season: season_id,
      reason: 'A game was not theirs',
    }),
  ).toMatchObject({ status: 200, body: { season: { version: 2, touched: false } } });
  const corrected = await page();
  expect(corrected.standings[0]).toMatchObject({ team: 'B', won: 1 });
  const { body } = await operator<CupForStaff>('GET', 'cups/page/', { cup: cup.body.id });
  expect(body.side_list.map(({ name }) => name)).toEqual(['A', 'B']);
  expect(corrected.corrections).toMatchObject([
    {
      version: 2,
      reason: 'A game was not theirs',
      changes: [
        ...touched.changes.slice(0, 2),
        ...['Best game', 'Best week', 'Carried the team', 'Best team week', 'Closest matchup'].map(
          (award) => `${award}: counted again`,
        ),
      ],
    },
  ]);
  expect(
    await operator('POST', 'seasons/correct/', { season: season_id, reason: 'Again' }),
  ).toMatchObject({
    status: 400,
    body: { detail: 'A new count changes nothing.' },
  });
  // The cause that Tonight names is the ruling, made or removed, and not a game.
  const rule = { league: league.name, week: addDays(week, -7), team: 'A' };
  for (const ruling of ['annulled', 'none']) {
    await operator('POST', 'leagues/ruling/', { ...rule, ruling, reason: 'The hoop was broken' });
    expect(await hands()).toMatchObject([{ id: season_id, why: 'ruling' }]);
  }
  await operator('POST', 'games/restore/', game);
  expect(await hands()).toMatchObject([{ id: season_id, why: 'game' }]);
  for (const change of [sql`update season_results set who = 'x'`, sql`delete from season_results`])
    await expect(
      sql`${change} where season_id = ${Number(season_id)}`.execute(t.db),
    ).rejects.toThrow('append-only');
});

test('SEASON-25: a correction is offered for draws, for awards and for a week alone, and says so', async () => {
  const { league, week, operator, page, play, players } = await season();
  const scores = [100, 90, 80, 70, 10];
  const games = [];
  for (const score of scores) games.push(...(await play(players[0], score, ago(15 * DAY))));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const rule = async (days: number, ruling: string) => {
    const of = { league: league.name, week: addDays(week, days), team: 'A' };
    const ruled = await operator('POST', 'leagues/ruling/', { ...of, ruling, reason: 'Why' });
    expect(ruled.status).toBe(200);
    return (await page()).changes;
  };
  const drawn = await rule(-7, 'both_lose');
  expect(drawn).toEqual(['A: 0 drawn, not 1, 1 lost, not 0', 'B: 0 drawn, not 1, 2 lost, not 1']);
  expect(await rule(-7, 'none')).toEqual([]);
  const { season: final, schedule } = await page();
  const confirmed = schedule[0]?.matchups[0]?.home === 'A' ? 'home' : 'away';
  expect(await rule(-14, confirmed)).toEqual(['Week 1: counted again']);
  await clearMarks(t);
  expect((await page()).season.touched).toBe(true);
  const correct = async () => {
    await operator('POST', 'seasons/correct/', { season: final.id, reason: 'Why' });
    return (await page()).corrections[0]?.changes;
  };
  expect(await correct()).toEqual(['Week 1: counted again']);
  // The worst of five games counts for no total.
  const worst = { game: String(await numberOf(t, games.at(-1)?.id)) };
  await operator('POST', 'games/void/', worst);
  const name = players[0]?.username;
  expect((await page()).changes).toEqual([`Most games: ${name} 4, not ${name} 5`]);
  expect(await correct()).toEqual(['Most games: counted again']);
});

test('SEASON-25: a change of today’s roster is no correction of a final season', async () => {
  const { league, operator, page, play, players } = await season();
  await play(players[0], 100, ago(15 * DAY));
  const [second] = await play(players[0], 90, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const game = { game: String(await numberOf(t, second?.id)) };
  await operator('POST', 'games/void/', game);
  await operator('POST', 'games/restore/', game);
  // A mate joins, so the best player of the season is no longer alone on the team.
  const A = await teamId(league.id, 'A');
  const { id } = await makePlayer(t);
  await sql`update players set team_id = ${A} where id = ${id}`.execute(t.db);
  const { season: final, changes } = await page();
  expect(changes).toEqual([]);
  const correction = { season: final.id, reason: 'Why' };
  expect(await operator('POST', 'seasons/correct/', correction)).toMatchObject({
    body: { detail: 'A new count changes nothing.' },
  });
  await clearMarks(t);
  expect((await page()).season.touched).toBe(false);
});

test('FRAME-06, SEASON-25: teams keep the names of a final season, also when it is corrected', async () => {
  const { league, operator, page, play, players } = await season();
  await play(players[0], 100, ago(15 * DAY));
  const [second] = await play(players[0], 90, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const team = `id:${await teamId(league.id, 'A')}`;
  const renamed = { team, name: 'Z' };
  expect((await operator('POST', 'teams/rename/', renamed)).status).toBe(200);
  await operator('POST', 'games/void/', { game: String(await numberOf(t, second?.id)) });
  const { season: final } = await page();
  const correction = { season: final.id, reason: 'A game was not theirs' };
  expect((await operator('POST', 'seasons/correct/', correction)).status).toBe(200);
  const { standings, rows, schedule, champions } = await page();
  expect(standings.map(({ team }) => team)).toEqual(['A', 'B']);
  expect(champions).toEqual(['A']);
  const both = [schedule[0]?.matchups[0]?.home, schedule[0]?.matchups[0]?.away];
  expect(both.toSorted()).toEqual(['A', 'B']);
  // Staff rule on a matchup of the renamed team by the id in its row.
  expect(`id:${rows.find((row) => row.team === 'A')?.team_id}`).toBe(team);
});

test('SEASON-25: voiding many games at once marks each final season that they count in', async () => {
  const { league, machine, operator, page, play, players } = await season();
  await play(players[0], 300, ago(8 * DAY));
  await play(players[1], 200, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const between = { from: ago(9 * DAY).toISOString(), to: ago(7 * DAY).toISOString() };
  const voided = await operator('POST', 'games/void-many/', { machine: machine.name, ...between });
  expect(voided).toMatchObject({ status: 200, body: { games: 2 } });
  expect((await page()).season.touched).toBe(true);
});

test('FRAME-01, SEASON-04, SEASON-05, SEASON-22: games after a season’s end count for the player alone', async () => {
  const { league, operator, machine, players } = await season();
  const [ann] = players as [Player];
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await at(7 * DAY, async () => {
    const sent = await t.call('POST', '/api/machine/games/', {
      headers: { authorization: `Bearer ${(machine as { key?: string }).key}` },
      body: { games: [aGame(t, ann)] },
    });
    expect(sent.body.results).toMatchObject([{ status: 'recorded', counts: 'no_team' }]);
    const { body } = await get(ann, '/api/users/profile/games/');
    expect(body.results).toMatchObject([{ counts: 'off_season', team: null }]);
  });
});

test('SEASON-22, SEASON-32: an early end of a season drops the postponed weeks after it', async () => {
  const { league, week, operator, page, players } = await season({ weeks: 3 });
  const postpone = (week: string) =>
    operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'Christmas' });
  const progress = async () => {
    const { body } = await get(players[0], '/api/leaderboards/user-league-season/');
    return { week: body.week, weeks: body.weeks };
  };
  await postpone(week);
  const { body } = await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name });
  expect(body).toMatchObject({ ended: 2, weeks: 3 });
  await at(7 * DAY, async () => {
    const after = await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name });
    expect(after.body).toMatchObject({ ended: 2, weeks: 3 });
  });
  await operator('POST', 'seasons/end/', { league: league.name });
  expect(await progress()).toEqual({ week: 2, weeks: 2 });
  const { schedule, season: ended } = await page();
  expect(schedule.map(({ week, postponed }) => [week, postponed])).toEqual([
    [1, undefined],
    [2, undefined],
  ]);
  expect(ended.pauses).toEqual([]);
});

test('SEASON-22, SEASON-37: a season whose last week is postponed ends after the week before it', async () => {
  const { league, week, operator, players } = await season({ weeks: 3 });
  await operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'Christmas' });
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const { changes } = (await get(players[0], '/api/leaderboards/user-league-season/')).body;
  expect(changes[0]).toMatchObject({ text: 'The season ends after week 2' });
});

test('AWARD-04, SEASON-06: a postponed last week is no week of the season', async () => {
  const { league, week, operator, page, play, players } = await season({ weeks: 3 });
  await play(players[0], 100, ago(8 * DAY));
  await play(players[0], 200, ago(8 * DAY));
  await operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'Christmas' });
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await at(8 * DAY, () => endSeasons(t));
  expect((await page()).awards.find(({ key }) => key === 'most_games')).toMatchObject({ value: 2 });
});

test('SEASON-06, SEASON-32, SEASON-33, SEASON-37: postponing a week moves all later weeks, and undoing it moves them back', async () => {
  const { league, week, operator, page, play, players, gamesLeft } = await season({ weeks: 2 });
  const before = (await page()).schedule;
  await play(players[0], 300, ago(HOUR));
  const postponed = { league: league.name, week, reason: 'A burst pipe' };
  expect(await operator('POST', 'leagues/postpone/', { league: league.name, week })).toMatchObject({
    status: 400,
  });
  expect(await gamesLeft(players[0])).toBe(7);
  expect(await operator('POST', 'leagues/postpone/', postponed)).toMatchObject({ status: 200 });
  expect(await gamesLeft(players[0])).toBe(0);
  const { schedule, standings } = await page();
  expect(schedule.map(({ from, week, postponed }) => [from, week, postponed])).toEqual([
    [addDays(week, -7), 1, undefined],
    [week, 2, 'A burst pipe'],
    [addDays(week, 7), 2, undefined],
  ]);
  expect(schedule[2]?.matchups).toMatchObject([{ home_total: null }]);
  expect(standings.map(({ total }) => total)).toEqual([0, 0]);
  const stats = (await get(players[0], '/api/leaderboards/user-league-stats/')).body;
  expect(stats).toMatchObject({
    opponent: null,
    team_total_score: 0,
    me: { league_games_left: 0 },
    season: { state: 'running', postponed: 'A burst pipe' },
  });
  expect((await get(players[0], '/api/users/profile/games/')).body.results).toMatchObject([
    { counts: 'paused' },
  ]);
  const { changes } = (await get(players[0], '/api/leaderboards/user-league-season/')).body;
  expect(changes).toMatchObject([{ text: 'Week 2 is postponed by a week: A burst pipe' }]);
  expect(await operator('POST', 'leagues/postpone/', postponed)).toMatchObject({ status: 400 });
  expect(
    await operator('POST', 'leagues/postpone/undo/', { league: league.name, week }),
  ).toMatchObject({ status: 200 });
  const after = (await page()).schedule;
  expect(after.map(({ from }) => from)).toEqual(before.map(({ from }) => from));
  expect((await get(players[0], '/api/users/profile/games/')).body.results).toMatchObject([
    { counts: 'league' },
  ]);
});

test('HAND-C1: staff change a team’s opponent in a coming week, and then change it back', async () => {
  const { league, week, operator, page, players } = await season({ teams: 5 });
  const coming = addDays(week, 7);
  await generateSchedule(t, league, { weeks: 1 });
  const read = async () => {
    const found = (await page()).schedule.at(-1);
    return {
      met: (found?.matchups ?? []).map(({ home, away }) => `${home} ${away}`).sort(),
      bye: found?.bye,
    };
  };
  const before = await read();
  expect(before).toEqual({ met: ['A D', 'B C'], bye: 'E' });
  const swap = (team: string, opponent: string, day = coming) =>
    operator('POST', 'leagues/swap/', { league: league.name, week: day, team, opponent });
  expect(await swap('A', 'C')).toMatchObject({ status: 200 });
  expect(await read()).toEqual({ met: ['A C', 'B D'], bye: 'E' });
  expect(await swap('B', 'E')).toMatchObject({ status: 200 });
  expect(await read()).toEqual({ met: ['A C', 'B E'], bye: 'D' });
  const { changes } = (await get(players[0], '/api/leaderboards/user-league-season/')).body;
  expect(changes[0]).toMatchObject({ text: 'Week 4: B meet E, and D have a bye' });
  expect(await swap('B', 'D')).toMatchObject({ status: 200 });
  expect(await swap('A', 'D')).toMatchObject({ status: 200 });
  expect(await read()).toEqual(before);
  for (const [team, opponent, day] of [
    ['A', 'D'],
    ['A', 'A'],
    ['E', 'A'],
    ['B', 'C', week],
    ['B', 'C', addDays(week, 14)],
  ] as const)
    expect(await swap(team, opponent, day)).toMatchObject({ status: 400 });
  expect(await swap('B', 'Nobody')).toMatchObject({ status: 404 });
  expect(await read()).toEqual(before);
});

test('SEASON-32, SEASON-33, SEASON-50: postponing moves weeks past the weeks left out, and undoing it moves them back', async () => {
  const { league, week, operator, page } = await season({ weeks: 2 });
  const left = addDays(week, 14);
  await generateSchedule(t, league, {
    ...{ weeks: 2, left_out: { mondays: [left], at: t.clock.now() } },
  });
  const weeks = async () =>
    (await page()).schedule.flatMap(({ from, week, postponed, matchups }) => {
      expect(matchups).toHaveLength(postponed === undefined ? 1 : 0);
      return postponed === undefined ? [[week, from]] : [];
    });
  const before = await weeks();
  expect(before.at(-1)).toEqual([4, addDays(week, 21)]);
  const postponed = { league: league.name, week, reason: 'A burst pipe' };
  expect((await operator('POST', 'leagues/postpone/', postponed)).status).toBe(200);
  expect(await weeks()).toEqual([
    [1, addDays(week, -7)],
    [2, addDays(week, 7)],
    [3, addDays(week, 21)],
    [4, addDays(week, 28)],
  ]);
  await operator('POST', 'leagues/postpone/undo/', { league: league.name, week });
  expect(await weeks()).toEqual(before);
});

test('SEASON-03, OPS-15: clearing the coming weeks does not end a season before its running week', async () => {
  const { league, week, operator, listed } = await season({ weeks: 2 });
  const [{ id = '' } = {}] = await listed();
  await operator('POST', 'seasons/change/', { season: id, ends: 'schedule' });
  const postponed = { league: league.name, week, reason: 'A burst pipe' };
  await operator('POST', 'leagues/postpone/', postponed);
  expect(await listed()).toMatchObject([{ last_week: addDays(week, 7) }]);
  const running = [{ state: 'running', last_week: week }];
  expect(await operator('POST', 'leagues/schedule/clear/', { league: league.name })).toMatchObject({
    body: { weeks_cleared: 1 },
  });
  expect(await listed()).toMatchObject(running);
  await operator('POST', 'leagues/postpone/undo/', { league: league.name, week });
  expect(await listed()).toMatchObject(running);
});

test('SEASON-03: the end of a season in grace is fixed, and its weeks are over', async () => {
  const { league, week, operator, listed } = await season();
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const [{ id = '' } = {}] = await listed();
  const open = () => operator('POST', 'seasons/change/', { season: id, ends: 'open' });
  const over = { status: 400, body: { detail: 'The season is over. Make a season first.' } };
  await at(5 * DAY, async () => {
    expect(await open()).toMatchObject({
      status: 400,
      body: { detail: '“Season 1” is over: its end is fixed.' },
    });
    for (const [path, more] of [
      ['leagues/schedule/', { weeks: 1 }],
      ['leagues/schedule/', { weeks: 1, from: week }],
      ['leagues/schedule/clear/', {}],
    ] as const)
      expect(await operator('POST', path, { league: league.name, ...more })).toMatchObject(over);
    expect(await listed()).toMatchObject([{ state: 'grace', last_week: week }]);
    const page = await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name });
    expect(page.body.planning).toBeNull();
  });
  // Until then, staff can take the end back.
  expect((await open()).status).toBe(200);
  expect(await listed()).toMatchObject([{ state: 'running', last_week: null }]);
});

test('OPS-07, OPS-15, SEASON-52: while a season is in grace, the weeks of the planned one are made and cleared', async () => {
  const { league, week, operator, listed } = await season();
  await operator('POST', 'seasons/end/', { league: league.name, after: 'finished' });
  const starts = addDays(week, 7);
  await operator('POST', 'seasons/next/', { league: league.name, starts, weeks: 0 });
  const weeks = async (path: string, more = {}) => {
    const { status, body } = await operator<LeagueSeason>('POST', path, {
      league: league.name,
      ...more,
    });
    expect(status).toBe(200);
    return body.schedule.map(({ from }) => from);
  };
  expect(await weeks('leagues/schedule/', { weeks: 2 })).toEqual([starts, addDays(starts, 7)]);
  const [, planned] = await listed();
  expect(planned).toMatchObject({ last_week: addDays(starts, 7) });
  const page = await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name });
  expect(page.body.planning).toMatchObject({
    ...{ season_id: planned?.id, season: 'Season 2', coming: 2 },
    first_free: addDays(starts, 14),
  });
  expect(await weeks('leagues/schedule/clear/')).toEqual([]);
  expect(await listed()).toMatchObject([{ state: 'grace' }, { last_week: null }]);
});

test('SEASON-30: a ruling decides a matchup, and the totals do not change', async () => {
  const { league, week, operator, page, play, players } = await season({ weeks: 2 });
  await play(players[1], 100, ago(8 * DAY));
  const rule = { league: league.name, week: addDays(week, -7), team: 'A', ruling: 'none' };
  const home = (await page()).schedule[0]?.matchups[0]?.home === 'A' ? 'home' : 'away';
  expect(await operator('POST', 'leagues/ruling/', { ...rule, ruling: home })).toMatchObject({
    status: 400,
    body: { reason: ['Both teams read why: write a reason.'] },
  });
  expect(
    await operator('POST', 'leagues/ruling/', { ...rule, ruling: home, reason: 'B left early' }),
  ).toMatchObject({ status: 200, body: { changes: ['Week 1: A beat B by forfeit.'] } });
  expect((await page()).standings).toMatchObject([
    { team: 'A', won: 1, total: 0 },
    { team: 'B', won: 0, lost: 1, total: 100 },
  ]);
  expect((await page()).schedule[0]?.matchups).toMatchObject([
    { ruling: home, reason: 'B left early', decided_by: 'ruling' },
  ]);
  expect(await operator('POST', 'leagues/ruling/', rule)).toMatchObject({ status: 200 });
  expect((await page()).standings).toMatchObject([
    { team: 'B', won: 1 },
    { team: 'A', lost: 1 },
  ]);
  expect(await operator('POST', 'leagues/ruling/', rule)).toMatchObject({
    status: 400,
    body: { detail: 'There is no ruling.' },
  });
});

test('SEASON-30, SEASON-32: the ruling on a matchup of a postponed week can be changed and removed before the new week', async () => {
  const { league, week, operator, page } = await season({ weeks: 2 });
  const rule = (monday: string, ruling: string, reason?: string) =>
    operator('POST', 'leagues/ruling/', {
      ...{ league: league.name, week: monday, team: 'A', ruling, reason },
    });
  const ruled = async () => (await page()).schedule.at(-1)?.matchups[0]?.ruling;
  await rule(week, 'home', 'Nobody came');
  await operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'Snow' });
  const later = addDays(week, 7);
  expect((await rule(later, 'both_lose', 'Nobody came at all')).status).toBe(200);
  expect(await ruled()).toBe('both_lose');
  expect((await rule(later, 'none')).status).toBe(200);
  expect(await ruled()).toBeUndefined();
  expect(await rule(later, 'home', 'Nobody came')).toMatchObject({
    status: 400,
    body: { detail: 'This week has not begun: there is nothing to decide yet.' },
  });
});

test('P108: players of the two teams read the reason of a ruling, other players the ruling alone', async () => {
  const { league, week, operator, page, players } = await season({ weeks: 2, teams: 4 });
  const rule = { league: league.name, week: addDays(week, -7), team: 'A', ruling: 'both_lose' };
  await operator('POST', 'leagues/ruling/', { ...rule, reason: 'Shouting' });
  const isRuled = ({ ruling }: Matchup) => ruling !== undefined;
  const ruled = (await page()).schedule[0]?.matchups.find(isRuled);
  const both = [ruled?.home, ruled?.away];
  expect(both).toContain('A');
  const read = async () => {
    const { id } = (await page()).season;
    const league = '/api/leaderboards/user-league-season/';
    for (const [at, player] of players.entries()) {
      const mayRead = both.includes('ABCD'[at]);
      const expected = { ruling: 'both_lose', ...(mayRead && { reason: 'Shouting' }) };
      for (const path of [league, `/api/seasons/${id}/`]) {
        const { body } = await get(player, path);
        const {
          home: _,
          away,
          home_total,
          away_total,
          ...seen
        } = body.schedule[0].matchups.find(isRuled);
        expect([path, seen]).toEqual([path, expected]);
      }
      const { body } = await get(player, '/api/leaderboards/user-league-team/?team=A');
      expect(body.results[0].reason).toBe(expected.reason);
    }
  };
  await read();
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  expect((await page()).season.state).toBe('final');
  await read();
});

test.each([
  [2, true],
  [3, false],
])('SEASON-35: withdrawal after %s of 6 weeks annuls all matchups: %s', async (weeks, annulled) => {
  const { league, operator, page, play, players, listed } = await season({ weeks: weeks + 1 });
  await generateSchedule(t, league, { weeks: 6 - weeks - 1 });
  await play(players[0], 100, ago(8 * DAY));
  expect((await listed())[0]?.entries[0]).toMatchObject({
    team: 'A',
    annuls: { now: annulled, next: false },
  });
  expect(
    await operator('POST', 'teams/withdraw/', {
      team: `id:${await teamId(league.id, 'A')}`,
      reason: 'Moved away',
      now: true,
    }),
  ).toMatchObject({ status: 200 });
  const { standings, rows, schedule } = await page();
  expect(rows.at(-1)).toMatchObject({
    team: 'A',
    withdrew: true,
    note: `withdrew in week ${weeks + 1}`,
  });
  expect(standings.at(-1)).toMatchObject({ team: 'A', place: null, won: annulled ? 0 : 1 });
  expect(schedule.at(-1)?.matchups[0]).toMatchObject({
    reason: 'Moved away',
    decided_by: 'withdrawal',
  });
  expect(
    await operator('POST', 'teams/withdraw/undo/', { team: `id:${await teamId(league.id, 'A')}` }),
  ).toMatchObject({ status: 200 });
  expect((await page()).rows.at(-1)).toMatchObject({ withdrew: false });
});

test.each([
  ['all matchups are annulled', 3, true],
  ['all matchups are annulled', 3, false],
  ['later matchups are forfeits', 5, true],
  ['later matchups are forfeits', 5, false],
])(
  'SEASON-35: undoing a withdrawal restores matchups, table and entry: %s, week %s, at once %s',
  async (_, weeks, now) => {
    const { league, operator, page, play, players, gamesLeft } = await season({ weeks, teams: 5 });
    await generateSchedule(t, league, { weeks: 8 - weeks });
    for (const [at, player] of players.entries())
      for (let week = 0; week < weeks; week += 1)
        await play(
          player,
          100 + 17 * at + ((29 * (at + 1) * (week + 1)) % 60),
          ago(week * 7 * DAY),
        );
    const team = `id:${await teamId(league.id, 'A')}`;
    const view = async () => ({
      staff: await page(),
      team: (await operator('GET', 'teams/page/', { team })).body,
      players: await Promise.all(
        players.map(async (player) => {
          const { changes: _news, ...table } = (
            await get(player, '/api/leaderboards/user-league-season/')
          ).body;
          const { body: week } = await get(player, '/api/leaderboards/user-league-stats/');
          return { table, week, left: await gamesLeft(player) };
        }),
      ),
    });
    const before = await view();
    const withdrawal = { team, reason: 'Moved away', now };
    expect((await operator('POST', 'teams/withdraw/', withdrawal)).status).toBe(200);
    const gone = await view();
    expect(gone.players[0]).toMatchObject({ week: { season: { entered: !now } } });
    expect(gone.staff.season.entries).not.toEqual(before.staff.season.entries);
    expect(gone.staff.schedule).not.toEqual(before.staff.schedule);
    expect(gone.staff.standings).not.toEqual(before.staff.standings);
    expect((await operator('POST', 'teams/withdraw/undo/', { team })).status).toBe(200);
    expect(await view()).toEqual(before);
  },
);

test('SEASON-35: a withdrawal from a Monday after the season’s last week has no effect', async () => {
  const { league, operator, page, play, players } = await season({ weeks: 6 });
  await play(players[0], 100, ago(8 * DAY));
  const team = `id:${await teamId(league.id, 'A')}`;
  const withdrawal = { team, reason: 'Moved away' };
  expect(await operator('POST', 'teams/withdraw/', withdrawal)).toMatchObject({
    status: 200,
    body: { changes: ['The matchups of A from week 7 on are forfeits.'] },
  });
  const outside = async () =>
    (await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name })).body.outside;
  expect(await outside()).toBeNull();
  await at(7 * DAY, async () => {
    expect(await outside()).toEqual({ season: 'Season 1', teams: ['A'] });
  });
  expect((await page()).rows.at(-1)).toMatchObject({ team: 'A', withdrew: true });
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const { changes } = (await get(players[0], '/api/leaderboards/user-league-season/')).body;
  expect(changes.slice(0, 2)).toMatchObject([
    { text: 'The season ends after week 6' },
    { text: 'A stays' },
  ]);
  const stays = async () => {
    const { season: ended, standings, rows } = await page();
    expect(standings[0]).toMatchObject({ place: 1, team: 'A' });
    expect(rows[0]).toMatchObject({ withdrew: false, note: null });
    return ended.state;
  };
  await stays();
  expect(await operator('POST', 'teams/withdraw/', withdrawal)).toMatchObject({
    status: 400,
    body: { detail: '“Season 1” is over by then: “A” plays all its weeks.' },
  });
  await at(11 * DAY, () => endSeasons(t));
  expect(await stays()).toBe('final');
});

test('SEASON-35: a withdrawal has no effect if the weeks after it are cleared and the season ends', async () => {
  const { league, operator, page, play, players } = await season({ weeks: 2 });
  await generateSchedule(t, league, { weeks: 4 });
  await operator('POST', 'seasons/change/', { season: (await page()).season.id, ends: 'schedule' });
  await play(players[0], 100, ago(8 * DAY));
  const team = `id:${await teamId(league.id, 'A')}`;
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away' });
  await operator('POST', 'leagues/schedule/clear/', { league: league.name });
  await at(11 * DAY, () => endSeasons(t));
  const { season: ended, standings, rows } = await page();
  expect(ended.state).toBe('final');
  expect(rows[0]).toMatchObject({ team: 'A', withdrew: false });
  expect(standings[0]).toMatchObject({ place: 1, won: 1 });
});

test('SEASON-32, SEASON-35: a withdrawal moves with the weeks when one is postponed, and back', async () => {
  const { league, week, operator, page } = await season({ weeks: 3 });
  await generateSchedule(t, league, { weeks: 2 });
  const team = `id:${await teamId(league.id, 'A')}`;
  const withdrawal = { team, reason: 'Moved away', from: addDays(week, 14) };
  expect((await operator('POST', 'teams/withdraw/', withdrawal)).status).toBe(200);
  const note = 'withdrew in week 5';
  const read = async () => {
    const { schedule, rows } = await page();
    expect(rows.at(-1)).toMatchObject({ team: 'A', note });
    return schedule.flatMap(({ week, matchups }) => matchups.map(({ ruling }) => [week, ruling]));
  };
  const before = await read();
  expect(before.slice(3)).toEqual([
    [4, undefined],
    [5, expect.stringMatching(/home|away/)],
  ]);
  const postponed = { league: league.name, week };
  await operator('POST', 'leagues/postpone/', { ...postponed, reason: 'A burst pipe' });
  expect(await read()).toEqual(before);
  await operator('POST', 'leagues/postpone/undo/', postponed);
  expect(await read()).toEqual(before);
});

test('SEASON-32, SEASON-35: a withdrawal from a week that is postponed is taken back until the week in its place is over', async () => {
  const { league, week, operator } = await season({ weeks: 2 });
  await generateSchedule(t, league, { weeks: 4 });
  const team = `id:${await teamId(league.id, 'A')}`;
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away', now: true });
  await operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'Snow' });
  const undo = async () => (await operator('POST', 'teams/withdraw/undo/', { team })).status;
  expect([await at(14 * DAY, undo), await at(7 * DAY, undo)]).toEqual([400, 200]);
});

async function teamId(leagueId: number, name: string): Promise<number> {
  const { id } = await t.db
    .selectFrom('teams')
    .select('id')
    .where('league_id', '=', leagueId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return id;
}

test('SEASON-14, SEASON-17, SEASON-24, SEASON-50: an ended season shows its final table, without teams that came later', async () => {
  const { league, operator, players, play, page } = await season({ teams: 4 });
  await play(players[0], 100, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name });
  await operator('POST', 'teams/', { league: league.name, name: 'Late' });
  const running = async () =>
    (await get(players[0], '/api/leaderboards/user-league-season/')).body as LeagueSeason;
  const before = await running();
  expect(before.standings.map(({ place, team }) => [place, team])).toEqual([
    [1, 'A'],
    [2, 'B'],
    [3, 'C'],
    [4, 'D'],
  ]);
  expect(before.champions).toEqual([]);
  // SEASON-50: by default, the team is in the next season.
  expect(await operator('POST', 'seasons/next/preview/', { league: league.name })).toMatchObject({
    body: { teams: ['A', 'B', 'C', 'D', 'Late'] },
  });
  // A call that means a running season does not make one in grace final.
  expect(await operator('POST', 'seasons/end/', { league: league.name })).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/^“Season 1” is over, and late games still count/) },
  });
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const after = await running();
  const { standings, champions, season: of } = await page();
  expect(after.standings).toEqual(standings);
  // B, C and D have no games, so at least two of them share a place.
  expect(new Set(standings.slice(1).map(({ place }) => place)).size).toBeLessThan(3);
  expect(standings.map(({ team }) => team).toSorted()).toEqual(['A', 'B', 'C', 'D']);
  expect(of.entries.map(({ team }) => team)).toEqual(['A', 'B', 'C', 'D']);
  expect(after.champions).toEqual(champions);
  expect(champions).toEqual(['A']);
});

test('SEASON-41, SEASON-42: a team that came after the season’s last week is not one of its teams', async () => {
  const { league, operator, players, play } = await season();
  await play(players[0], 100, ago(8 * DAY));
  await operator('POST', 'teams/', { league: league.name, name: 'Late' });
  await operator('POST', 'seasons/end/', { league: league.name, after: 'finished' });
  const teams = async () => [
    (await get(players[0], '/api/leaderboards/user-league-stats/')).body.season.teams,
    (await get(players[0], '/api/seasons/')).body.results[0].teams,
    (await get(players[0], '/api/users/profile/running/')).body.season?.teams,
  ];
  expect(await teams()).toEqual([2, 2, undefined]);
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  expect(await teams()).toEqual([2, 2, 2]);
});

test('SEASON-17: a team that has withdrawn has no place, neither while the season runs nor in grace', async () => {
  const { league, operator, page, play, players } = await season({ weeks: 6, teams: 3 });
  await play(players[0], 100, ago(8 * DAY));
  const team = `id:${await teamId(league.id, 'A')}`;
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away', now: true });
  const { id } = (await page()).season;
  const places = async () => [
    (await get(players[0], '/api/leaderboards/user-league-team/?team=A')).body.place,
    (await get(players[0], '/api/seasons/')).body.results[0].place,
    (await get(players[0], `/api/seasons/${id}/`)).body.mine.place,
    (await get(players[0], '/api/leaderboards/user-league-stats/')).body.season.place,
  ];
  expect(await places()).toEqual([null, null, null, null]);
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await at(5 * DAY, async () => expect(await places()).toEqual([null, null, null, null]));
});

test('SEASON-34: a team made after the schedule has no matchups until staff replace the matchups', async () => {
  const { league, operator, listed } = await season({ weeks: 2 });
  await operator('POST', 'seasons/end/', { league: league.name });
  await operator('POST', 'seasons/next/', { league: league.name, weeks: 3 });
  const [plan] = (await listed()).filter(({ state }) => state === 'planned');
  const idle = async () =>
    (await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name })).body.idle;
  const matchups = async () =>
    (await listed())[1]?.entries.map(({ team, matchups }) => [team, matchups]);
  expect(await idle()).toBeNull();
  for (const name of ['New', 'Other'])
    await operator('POST', 'teams/', { league: league.name, name });
  expect(await idle()).toEqual({
    season_id: plan?.id,
    season: 'Season 2',
    teams: ['New', 'Other'],
  });
  expect(await matchups()).toEqual([
    ['A', 3],
    ['B', 3],
    ['New', 0],
    ['Other', 0],
  ]);
  const entered = await operator('POST', 'teams/enter/', {
    team: `id:${await teamId(league.id, 'New')}`,
    season: plan?.id,
    matchups: 'replan',
  });
  expect(entered).toMatchObject({ status: 200 });
  expect(await idle()).toBeNull();
  expect(await matchups()).toEqual(['A', 'B', 'New', 'Other'].map((team) => [team, 3]));
  const outside = async () =>
    (await operator<LeaguePage>('GET', 'leagues/page/', { league: league.name })).body.outside;
  expect(await outside()).toBeNull();
  await operator('POST', 'teams/withdraw/', { team: `id:${await teamId(league.id, 'New')}` });
  expect(await outside()).toEqual({ season: 'Season 2', teams: ['New'] });
});

test('SEASON-34: a team that enters meets the teams that had byes', async () => {
  const { league, operator, page } = await season({ weeks: 2, teams: 3 });
  await generateSchedule(t, league, { weeks: 3 });
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  expect((await page()).rows.find(({ team }) => team === 'Late')).toMatchObject({
    note: 'joined in week 2',
  });
  expect(
    await operator('POST', 'teams/enter/', { team: `id:${id}`, matchups: 'byes' }),
  ).toMatchObject({ status: 200 });
  const coming = (await page()).schedule.slice(2);
  expect(coming.map(({ bye, matchups }) => [bye, matchups.length])).toEqual([
    [null, 2],
    [null, 2],
    [null, 2],
  ]);
});

test.each([3, 4])(
  'SEASON-34, SEASON-35: with %s teams, a team that enters meets the teams whose matchups a withdrawal annulled',
  async (teams) => {
    const { league, operator, page } = await season({ weeks: 2, teams });
    await generateSchedule(t, league, { weeks: 3 });
    const gone = `id:${await teamId(league.id, 'A')}`;
    await operator('POST', 'teams/withdraw/', { team: gone, reason: 'Moved away' });
    const { id } = await makeTeam(t, league, [], { name: 'Late' });
    expect(
      await operator('POST', 'teams/enter/', { team: `id:${id}`, matchups: 'byes' }),
    ).toMatchObject({ status: 200 });
    const met = (await page()).schedule
      .flatMap(({ matchups }) => matchups.map(({ home, away }) => [home, away]))
      .filter((pair) => pair.includes('Late'));
    // With three teams, the others meet in the week in which A had the bye.
    expect(met).toHaveLength(teams - 1);
    expect(met.flat()).not.toContain('A');
  },
);

test('SEASON-34: a team that enters again keeps its earlier weeks', async () => {
  const { league, week, operator, listed } = await season({ weeks: 2 });
  await generateSchedule(t, league, { weeks: 3 });
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  const entry = async () => (await listed())[0]?.entries.find(({ team }) => team === 'Late');
  expect(await entry()).toMatchObject({ from_week: week });
  await at(7 * DAY, async () => {
    const team = { team: `id:${id}`, matchups: 'replan' };
    expect(await operator('POST', 'teams/enter/', team)).toMatchObject({ status: 200 });
    expect(await entry()).toMatchObject({ from_week: week });
  });
  await at(14 * DAY, async () => {
    const team = { team: `id:${id}`, matchups: 'none' };
    expect(await operator('POST', 'teams/enter/', team)).toMatchObject({ status: 200 });
    expect(await entry()).toMatchObject({ from_week: week });
  });
});

test('SEASON-34, SEASON-35: weeks made anew keep a team until it leaves, and have it again if it stays', async () => {
  const { league, week, operator, page } = await season({ weeks: 4, teams: 4 });
  await generateSchedule(t, league, { weeks: 3 });
  const team = `id:${await teamId(league.id, 'A')}`;
  const inWeeks = async () =>
    (await page()).schedule
      .slice(4)
      .map(({ matchups, bye }) =>
        [bye, ...matchups.flatMap(({ home, away }) => [home, away])].includes('A'),
      );
  const makeAnew = async (name: string) => {
    const { id } = await makeTeam(t, league, [], { name });
    const late = { team: `id:${id}`, matchups: 'replan' };
    expect((await operator('POST', 'teams/enter/', late)).status).toBe(200);
  };
  const leave = (from: string) =>
    operator('POST', 'teams/withdraw/', { team, reason: 'Moved away', from });
  await leave(addDays(week, 14));
  await makeAnew('E');
  expect(await inWeeks()).toEqual([true, false, false]);
  await operator('POST', 'teams/withdraw/undo/', { team });
  expect(await inWeeks()).toEqual([true, true, true]);
  await leave(addDays(week, 7));
  await makeAnew('F');
  expect(await inWeeks()).toEqual([false, false, false]);
  await operator('POST', 'teams/withdraw/undo/', { team });
  expect(await inWeeks()).toEqual([true, true, true]);
});

test('SEASON-35: undoing a withdrawal keeps the matchups of a team that lacked earlier weeks', async () => {
  const { league, operator, page } = await season({ weeks: 2, teams: 4 });
  await generateSchedule(t, league, { weeks: 4 });
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  await generateSchedule(t, league, { weeks: 4 });
  const before = (await page()).schedule;
  const team = `id:${id}`;
  const undo = () => operator('POST', 'teams/withdraw/undo/', { team });
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away' });
  expect((await undo()).status).toBe(200);
  expect((await page()).schedule).toEqual(before);
});

test('SEASON-34, SEASON-35: a team that lost all its matchups to weeks made anew has matchups again', async () => {
  const { league, operator, page } = await season({ weeks: 2, teams: 4 });
  await generateSchedule(t, league, { weeks: 2 });
  const enter = async (name: string) => {
    const { id } = await makeTeam(t, league, [], { name });
    await operator('POST', 'teams/enter/', { team: `id:${id}`, matchups: 'replan' });
    return `id:${id}`;
  };
  const team = await enter('Late');
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away' });
  await enter('Later');
  expect((await operator('POST', 'teams/withdraw/undo/', { team })).status).toBe(200);
  const met = (await page()).schedule
    .slice(2)
    .map(({ matchups, bye }) =>
      [bye, ...matchups.flatMap(({ home, away }) => [home, away])].includes('Late'),
    );
  expect(met).toEqual([true, true]);
});

test('SEASON-35: undoing a withdrawal makes anew only the weeks that were added without the team', async () => {
  const { league, operator, page } = await season({ weeks: 4, teams: 4 });
  await generateSchedule(t, league, { weeks: 3 });
  const before = (await page()).schedule;
  const team = `id:${await teamId(league.id, 'A')}`;
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away' });
  await generateSchedule(t, league, { weeks: 2 });
  await operator('POST', 'teams/withdraw/undo/', { team });
  const { schedule } = await page();
  expect(schedule.slice(0, 7)).toEqual(before);
  const teams = schedule.slice(7).flatMap(({ matchups }) => matchups.map((m) => [m.home, m.away]));
  expect(teams.flat().filter((name) => name === 'A')).toHaveLength(2);
});

test('SEASON-34, OPS-07: weeks that are added leave out a team until it enters', async () => {
  const { league, week, operator, page } = await season({ weeks: 1 });
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  const late = { team: `id:${id}`, matchups: 'none', from: addDays(week, 14) };
  expect((await operator('POST', 'teams/enter/', late)).status).toBe(200);
  await generateSchedule(t, league, { weeks: 3 });
  const met = (await page()).schedule.map(({ matchups, bye }) =>
    [bye, ...matchups.flatMap(({ home, away }) => [home, away])].includes('Late'),
  );
  expect(met).toEqual([false, false, true, true]);
});

test('SEASON-34, OPS-15: weeks made after others were cleared have a team that enters late', async () => {
  const { league, week, operator, page } = await season({ weeks: 2 });
  await generateSchedule(t, league, { weeks: 4 });
  await operator('POST', 'seasons/change/', { season: (await page()).season.id, ends: 'schedule' });
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  const late = { team: `id:${id}`, matchups: 'none', from: addDays(week, 21) };
  expect((await operator('POST', 'teams/enter/', late)).status).toBe(200);
  await operator('POST', 'leagues/schedule/clear/', { league: league.name });
  await generateSchedule(t, league, { weeks: 4 });
  const met = (await page()).schedule.map(({ matchups, bye }) =>
    [bye, ...matchups.flatMap(({ home, away }) => [home, away])].includes('Late'),
  );
  expect(met).toEqual([false, false, false, false, true, true]);
});

test('SEASON-34: a team that has withdrawn cannot enter again', async () => {
  const { league, operator } = await season({ weeks: 2, teams: 3 });
  await generateSchedule(t, league, { weeks: 3 });
  const team = `id:${await teamId(league.id, 'A')}`;
  await operator('POST', 'teams/withdraw/', { team, reason: 'Moved away' });
  expect(await operator('POST', 'teams/enter/', { team, matchups: 'replan' })).toMatchObject({
    status: 409,
  });
});

/** A league in grace whose next season, of teams A to D, leaves its second week out. */
async function plannedSeason() {
  const made = await season({ weeks: 2, teams: 4 });
  const { league, week, operator, page } = made;
  await operator('POST', 'seasons/end/', { league: league.name, after: 'finished' });
  const left_out = addDays(week, 14);
  const form = { league: league.name, starts: addDays(week, 7), weeks: 6, leave_out: [left_out] };
  expect(await operator('POST', 'seasons/next/', form)).toMatchObject({ status: 200 });
  const leave = async (name: string, more = {}) =>
    operator<{ changes: string[] }>('POST', 'teams/withdraw/', {
      team: `id:${await teamId(league.id, name)}`,
      ...more,
    });
  return { ...made, left_out, leave, plan: () => page(1) };
}

test('SEASON-52: when a team leaves a planned season, the other teams get new matchups in the same weeks', async () => {
  const { league, operator, left_out, leave, plan } = await plannedSeason();
  await operator('POST', 'seasons/change/', {
    season: (await plan()).season.id,
    tie_break: 'head_to_head',
  });
  const before = await plan();
  expect(await leave('B')).toMatchObject({
    status: 200,
    body: { changes: ['B is left out of Season 2.'] },
  });
  const after = await plan();
  const { entries, ...kept } = before.season;
  expect(after.season).toMatchObject(kept);
  expect(after.season.pauses).toMatchObject([{ week: left_out }]);
  // Three teams in six weeks: each has a bye in two.
  expect(after.season.entries).toEqual(
    entries.filter(({ team }) => team !== 'B').map((entry) => ({ ...entry, matchups: 4 })),
  );
  const weeksOf = ({ schedule }: SeasonForStaff) =>
    schedule.map(({ from, postponed }) => [from, postponed]);
  expect(weeksOf(after)).toEqual(weeksOf(before));
  const played = after.schedule.filter(({ postponed }) => postponed === undefined);
  expect(played).toHaveLength(6);
  // Every two teams meet twice, once at each home, and every team has two byes.
  const pairs = played.flatMap(({ matchups }) => matchups.map(({ home, away }) => home + away));
  expect(pairs.toSorted()).toEqual(['AC', 'AD', 'CA', 'CD', 'DA', 'DC']);
  expect(played.map(({ bye }) => bye).toSorted()).toEqual(['A', 'A', 'C', 'C', 'D', 'D']);
  const { area, after: noted } = await t.db
    .selectFrom('audit')
    .select(['area', 'after'])
    .where('what', '=', 'Left B out of Season 2')
    .executeTakeFirstOrThrow();
  expect([area, noted]).toEqual(['leagues', { reason: null }]);
  // Once the team enters again, the plan is as before.
  const team = `id:${await teamId(league.id, 'B')}`;
  expect(await operator('POST', 'teams/enter/', { team, matchups: 'replan' })).toMatchObject({
    status: 200,
  });
  expect((await plan()).schedule).toEqual(before.schedule);
});

test('SEASON-34, SEASON-52: when a planned season moves, a late team still enters in the same week of it', async () => {
  const { league, week, left_out, operator, plan } = await plannedSeason();
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  const of = (await plan()).season.id;
  const late = { team: `id:${id}`, season: of, matchups: 'none', from: addDays(week, 21) };
  expect((await operator('POST', 'teams/enter/', late)).status).toBe(200);
  const read = async () => {
    const { season: planned, rows } = await plan();
    const from = (name: string) => planned.entries.find(({ team }) => team === name)?.from_week;
    return [from('A'), from('Late'), rows.find(({ team }) => team === 'Late')?.note];
  };
  const joins = 'joined in week 2';
  const before = await read();
  expect(before).toEqual([addDays(week, 7), addDays(week, 21), joins]);
  const move = (starts: string) => operator('POST', 'seasons/change/', { season: of, starts });
  await move(addDays(left_out, 7));
  expect(await read()).toEqual([addDays(week, 21), addDays(week, 28), joins]);
  await move(addDays(week, 7));
  expect(await read()).toEqual(before);
});

test('SEASON-34: a team enters the season that staff look at, not another', async () => {
  const { league, week, operator, page, plan } = await plannedSeason();
  // The first season is in its last week.
  await sql`update seasons set last_week = ${week} where league_id = ${league.id}
    and starts_on <= ${week}`.execute(t.db);
  const team = await makeTeam(t, league, [], { name: 'E' });
  await t.db.deleteFrom('season_entries').where('team_id', '=', team.id).execute();
  const [running, planned] = [(await page()).season, (await plan()).season];
  const enter = (season: string) =>
    operator('POST', 'teams/enter/', { team: `id:${team.id}`, season, matchups: 'none' });
  const teamsOf = async (at: number) => (await page(at)).season.entries.map((one) => one.team);
  expect((await enter(running.id)).status).toBe(200);
  expect([await teamsOf(0), await teamsOf(1)]).toEqual([
    expect.arrayContaining(['E']),
    expect.not.arrayContaining(['E']),
  ]);
  expect((await enter(planned.id)).status).toBe(200);
  expect(await teamsOf(1)).toContain('E');
});

test('SEASON-52: when a team leaves a planned season, a team that enters later keeps its own free weeks', async () => {
  const { league, week, operator, leave, plan } = await plannedSeason();
  const { schedule } = await plan();
  await makeTeam(t, league, [], { name: 'New' });
  expect(await leave('New')).toMatchObject({ status: 200 });
  expect((await plan()).schedule).toEqual(schedule);
  const { id } = await makeTeam(t, league, [], { name: 'Late' });
  const from = addDays(week, 28);
  const late = { team: `id:${id}`, matchups: 'none', from };
  expect(await operator('POST', 'teams/enter/', late)).toMatchObject({ status: 200 });
  await leave('A');
  const { schedule: anew } = await plan();
  const withLate = anew
    .filter(({ postponed }) => postponed === undefined)
    .map(({ from, matchups, bye }) => [
      from,
      [bye, ...matchups.flatMap(({ home, away }) => [home, away])].includes('Late'),
    ]);
  expect(withLate.map(([, meets]) => meets)).toEqual([false, false, true, true, true, true]);
});

test('SEASON-52: a planned season keeps at least two teams, and a team cannot leave only a part of it', async () => {
  const { week, leave, plan } = await plannedSeason();
  expect(await leave('A', { from: addDays(week, 21) })).toMatchObject({
    status: 400,
    body: { from: [expect.stringMatching(/has not begun/)] },
  });
  expect(await leave('A', { now: true })).toMatchObject({ status: 400 });
  await leave('A');
  expect(await leave('A')).toMatchObject({ status: 400 });
  await leave('B', { from: addDays(week, 9) });
  const left = await plan();
  expect(left.season.entries).toMatchObject([{ team: 'C' }, { team: 'D' }]);
  expect(await leave('C')).toMatchObject({
    status: 400,
    body: {
      detail: 'A season needs at least two teams. Take another team in first, or drop the season.',
    },
  });
  expect((await plan()).schedule).toEqual(left.schedule);
  // Once the season runs, leaving it is a withdrawal, and the league reads the reason.
  await at(7 * DAY, async () => {
    expect(await leave('C', { from: addDays(week, 14) })).toMatchObject({
      status: 400,
      body: { reason: ['The league reads why: write a reason.'] },
    });
    expect(await leave('C', { reason: 'Moved away' })).toMatchObject({ status: 200 });
  });
});

test('SEASON-50, SEASON-51: staff preview the next season, then make it with the same form', async () => {
  const { league, week, operator, listed, play, players } = await season();
  await play(players[0], 100, ago(8 * DAY));
  const form = {
    league: league.name,
    new_teams: ['New Hoops'],
    weeks: 4,
    leave_out: [addDays(week, 21)],
    players: 'leave',
  };
  expect(await operator('POST', 'seasons/next/', form)).toMatchObject({ status: 400 });
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await at(5 * DAY, async () => {
    const { body } = await operator<Record<string, unknown>>('POST', 'seasons/next/preview/', form);
    expect(body).toMatchObject({
      name: 'Season 2',
      starts_on: addDays(week, 14),
      ends_on: addDays(week, 14 + 5 * 7 - 1),
      weeks: 4,
      teams: ['A', 'B'],
      new_teams: ['New Hoops'],
      players_leave: 2,
      leave_at: 'final',
      left_out: [addDays(week, 21)],
    });
    expect(await listed()).toHaveLength(1);
    expect(await operator('POST', 'seasons/next/', form)).toMatchObject({ status: 200 });
    expect(await operator('POST', 'seasons/next/', form)).toMatchObject({ status: 409 });
    expect((await listed())[1]).toMatchObject({
      name: 'Season 2',
      state: 'planned',
      ends: 'schedule',
      last_week: addDays(week, 14 + 4 * 7),
      entries: [{ team: 'A' }, { team: 'B' }, { team: 'New Hoops' }],
    });
    expect((await get(players[0], '/api/leaderboards/user-league-stats/')).body).toMatchObject({
      season: { state: 'grace', next_starts_on: addDays(week, 14) },
    });
    const [former, planned] = await listed();
    const next = { id: planned?.id, name: 'Season 2', starts_on: addDays(week, 14) };
    const leagues = await operator<LeaguesAnswer>('GET', 'leagues/');
    expect(leagues.body.results.find(({ name }) => name === league.name)).toMatchObject({
      last_day: addDays(week, 6),
      next,
    });
    expect(await operator('GET', 'leagues/page/', { league: league.name })).toMatchObject({
      body: { next, season_id: former?.id },
    });
  });
  await at(8 * DAY, async () => {
    await endSeasons(t);
    expect(await listed()).toMatchObject([{ state: 'final' }, { state: 'planned' }]);
    expect((await get(players[0], '/api/leaderboards/user-league-stats/')).status).toBe(400);
    // SEASON-42: a player who has left the team sees the season too.
    const running = async () =>
      (await get(players[0], '/api/users/profile/running/')).body as RunningAnswer;
    expect((await running()).season).toMatchObject({
      ...{ name: 'Season 1', teams: 2, place: 1, champion: true },
    });
    await at(14 * DAY, async () => expect((await running()).season).toBeNull());
    // The champions' frame stays on screens when the next season has begun.
    const slide = () => readSeasonSlide(t.db, league, t.clock.now());
    await at(5 * DAY, async () => {
      expect((await listed())[1]).toMatchObject({ state: 'running' });
      expect(await slide()).toMatchObject({ name: 'Season 1', state: 'final' });
    });
    await at(15 * DAY, async () => expect(await slide()).toMatchObject({ name: 'Season 2' }));
  });
});

test('SEASON-51: a player who joins between two seasons stays when the former’s players leave', async () => {
  const { league, operator, listed, players } = await season();
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const late = await makePlayer(t);
  await at(5 * DAY, async () => {
    const team = await findNamed(t.db, TEAMS, `id:${await teamId(league.id, 'A')}`);
    await joinTeam(t, team, [late], ago(HOUR));
    // Taken off by mistake, and put back.
    await removeFromTeam(t, team, String(players[0]?.email), ago(HOUR));
    await joinTeam(t, team, [players[0] as Player], ago(HOUR / 2));
    const next = { league: league.name, weeks: 2, players: 'leave' };
    expect((await operator('POST', 'seasons/next/preview/', next)).body).toMatchObject({
      ...{ players_stay: 1, players_leave: 2 },
    });
    await operator('POST', 'seasons/next/', next);
  });
  await at(8 * DAY, async () => {
    await endSeasons(t);
    expect(await listed()).toMatchObject([{ state: 'final' }, {}]);
    const isOnTeam = async (player: Player | undefined) =>
      (await get(player, '/api/leaderboards/user-league-stats/')).status === 200;
    expect([await isOnTeam(late), await isOnTeam(players[0])]).toEqual([true, false]);
  });
});

test('SEASON-50: everybody leaves at once when the former season is final already', async () => {
  const { league, operator } = await season();
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const late = await makePlayer(t);
  await at(8 * DAY, async () => {
    await endSeasons(t);
    const team = await findNamed(t.db, TEAMS, `id:${await teamId(league.id, 'A')}`);
    await joinTeam(t, team, [late], ago(HOUR));
    const next = { league: league.name, weeks: 2, players: 'leave' };
    expect((await operator('POST', 'seasons/next/preview/', next)).body).toMatchObject({
      ...{ players_stay: 0, players_leave: 3, leave_at: 'now' },
    });
    await operator('POST', 'seasons/next/', next);
    expect((await get(late, '/api/leaderboards/user-league-stats/')).status).toBe(400);
  });
});

test('SEASON-51, SEASON-52: players stay on their teams if the next season is dropped', async () => {
  const { league, operator, listed, players } = await season();
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await at(5 * DAY, async () => {
    const next = { league: league.name, weeks: 2 };
    await operator('POST', 'seasons/next/', { ...next, players: 'leave' });
    await operator('POST', 'seasons/drop/', { season: (await listed())[1]?.id });
    expect(await operator('POST', 'seasons/next/', next)).toMatchObject({ status: 200 });
  });
  await at(8 * DAY, async () => {
    await endSeasons(t);
    expect(await listed()).toMatchObject([{ state: 'final' }, {}]);
    expect((await get(players[0], '/api/leaderboards/user-league-stats/')).status).toBe(200);
  });
});

test('SEASON-20: screens show a season in grace until a week of the next season is over', async () => {
  const { league, operator, listed, play, players } = await season();
  await play(players[0], 100, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  const [{ id = '' } = {}] = await listed();
  await operator('POST', 'seasons/change/', { season: id, grace_hours: 336 });
  await at(5 * DAY, () => operator('POST', 'seasons/next/', { league: league.name, weeks: 4 }));
  const slide = () => readSeasonSlide(t.db, league, t.clock.now());
  await at(13 * DAY, async () => {
    expect(await listed()).toMatchObject([{ state: 'grace' }, { state: 'running' }]);
    expect(await slide()).toMatchObject({ name: 'Season 1', state: 'grace' });
  });
  await at(20 * DAY, async () =>
    expect(await slide()).toMatchObject({ name: 'Season 2', state: 'running' }),
  );
});

test('SEASON-52: staff can drop a planned season until it begins', async () => {
  const { league, operator, listed } = await season();
  expect(
    await operator('POST', 'seasons/drop/', { season: (await listed())[0]?.id }),
  ).toMatchObject({
    status: 400,
  });
  await operator('POST', 'seasons/end/', { league: league.name });
  await operator('POST', 'seasons/next/', { league: league.name, weeks: 2 });
  expect(await listed()).toHaveLength(2);
  expect(
    await operator('POST', 'seasons/drop/', { season: (await listed())[1]?.id }),
  ).toMatchObject({
    status: 200,
  });
  expect(await listed()).toHaveLength(1);
});

test('SEASON-36, PROD-94: locked rosters refuse codes until the season is final, and the page says so', async () => {
  const { league, week, operator, listed } = await season();
  const { id } = await makeTeam(t, league, []);
  await t.db.updateTable('leagues').set({ joining: 'open' }).where('id', '=', league.id).execute();
  const { join_code } = await t.db
    .selectFrom('teams')
    .select('join_code')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const path = `/api/teams/join/${join_code}/`;
  expect((await t.call('GET', path)).body.season_ends_on).toEqual(expect.any(String));
  await operator('POST', 'seasons/change/', {
    season: (await listed())[0]?.id,
    rosters_lock_week: week,
  });
  const player = await makePlayer(t);
  expect((await t.call('GET', path)).body).toMatchObject({
    joining: 'closed',
    season_ends_on: null,
  });
  expect(await t.call('POST', path, { as: await makeSession(t, player) })).toMatchObject({
    status: 400,
    body: { detail: 'Teams are closed until this season is over.' },
  });
});

test('SEASON-41, SEASON-43, ACC-27: the export has the player’s seasons with their awards', async () => {
  const { league, operator, play, players } = await season();
  await play(players[0], 300, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const { body } = await get(players[0], '/api/users/profile/export/');
  const { results } = (await get(players[0], '/api/seasons/')).body;
  expect(body.seasons).toEqual(results);
  expect(results).toMatchObject([
    {
      state: 'final',
      team: 'A',
      place: 1,
      games: 1,
      awards: expect.arrayContaining(['best_game']),
    },
  ]);
  expect((await get(players[1], '/api/seasons/')).body.results).toEqual([]);
});

test('AWARD-01, AWARD-07: an award that winners of different weeks share names no week', async () => {
  const { league, operator, page, play, players } = await season();
  await play(players[0], 100, ago(15 * DAY));
  await play(players[1], 100, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const { awards } = await page();
  const awardOf = (key: string) => awards.find((award) => award.key === key);
  expect(awardOf('best_game')).toMatchObject({ value: 100, week: null });
  expect(awardOf('best_team_week')).toMatchObject({ value: 100, week: null, team: 'A and B' });
  expect(awardOf('closest')).toBeUndefined();
});

test('AWARD-01, AWARD-07: who wins an award in two weeks has it once, without a week', async () => {
  const { league, operator, page, play, players } = await season();
  for (const days of [15, 8]) await play(players[0], 100, ago(days * DAY));
  await play(players[1], 90, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const { awards } = await page();
  const awardOf = (key: string) => awards.find((award) => award.key === key);
  for (const key of ['best_game', 'best_team_week'])
    expect(awardOf(key)).toMatchObject({ value: 100, week: null, team: 'A' });
  expect(awardOf('closest')?.team?.split(' – ').toSorted()).toEqual(['A', 'B']);
});

test('SEASON-32, SEASON-41: the best game of a season is among the first 8 of a week that is not postponed', async () => {
  const { league, week, machine, operator, play, players } = await season({ weeks: 2 });
  const scores = [100, 100, 100, 100, 100, 100, 100, 107, 990];
  const games = scores.map((score, at) => ({ score, played_at: ago(8 * DAY - at * HOUR) }));
  await makeGames(t, machine, players[0] as Player, games);
  await play(players[0], 900, ago(HOUR));
  const best = async () => (await get(players[0], '/api/seasons/')).body.results[0];
  expect(await best()).toMatchObject({ games: 9, best_game: 900 });
  const postponed = { league: league.name, week, reason: 'A burst pipe' };
  await operator('POST', 'leagues/postpone/', postponed);
  expect(await best()).toMatchObject({ games: 8, best_game: 107 });
});

test('SEASON-32, SEASON-41, SEASON-42: a player’s team in a season is the last one outside postponed weeks', async () => {
  const { league, week, operator, page, play, players } = await season();
  const [player] = players;
  await play(player, 300, ago(8 * DAY));
  const B = { id: await teamId(league.id, 'B'), name: 'B', league_id: league.id };
  await joinTeam(t, { ...B, league: league.name }, [player as Player], ago(2 * HOUR));
  await play(player, 100, ago(HOUR));
  await operator('POST', 'leagues/postpone/', { league: league.name, week, reason: 'A pipe' });
  const { id } = (await page()).season;
  const mine = async () => (await get(player, `/api/seasons/${id}/`)).body.mine.team;
  expect(await mine()).toBe('A');
  expect((await get(player, '/api/seasons/')).body.results[0].team).toBe('A');
  await operator('POST', 'seasons/end/', { league: league.name, after: 'running' });
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  expect(await mine()).toBe('A');
  expect((await get(player, '/api/users/profile/running/')).body.season).toMatchObject({
    place: 1,
  });
});

test('SEASON-40: a season is open to its league and its players, and unknown to all others', async () => {
  const { league, operator, page, play, players, listed } = await season();
  await play(players[0], 300, ago(8 * DAY));
  await operator('POST', 'seasons/end/', { league: league.name, now: true });
  const path = `/api/seasons/${(await page()).season.id}/`;
  expect((await get(players[1], path)).status).toBe(200);
  expect(await get(await makePlayer(t), path)).toMatchObject({
    status: 404,
    body: { detail: 'No such season.' },
  });
  expect(await listed()).toHaveLength(1);
});
