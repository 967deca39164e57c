import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
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
import { rebuild } from '../games/rebuild.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { recordReport } from '../machines/report.ts';
import { GAME_RULES } from './rules.ts';

const { t, ago } = midweekApp();

const get = async (player: { id: number }, path = '') => {
  const answer = await t.call('GET', `/api/achievements/${path}`, {
    as: await makeSession(t, player),
  });
  expect(answer.status).toBe(200);
  return answer.body;
};
const won = async (player: { id: number }): Promise<{ key: string; game: string }[]> =>
  get(player, 'user_achievements/');
const keys = async (player: { id: number }) => (await won(player)).map(({ key }) => key).sort();
const progress = async (player: { id: number }) =>
  Object.fromEntries(
    (await get(player)).map((one: { key: string; progress: unknown }) => [one.key, one.progress]),
  );

test('the list has every field that the page needs', async () => {
  const all = await get(await makePlayer(t));
  expect(all.length).toBeGreaterThanOrEqual(12);
  for (const one of all) {
    expect(Object.keys(one).sort()).toEqual([
      'description',
      'icon',
      'key',
      'name',
      'progress',
      'rank',
    ]);
    expect(one.name).not.toBe('');
    expect(one.description).not.toBe('');
  }
  expect(all.find((one: { key: string }) => one.key === 'games-10')).toMatchObject({
    icon: 'games-10',
    rank: 1,
    progress: { have: 0, need: 10 },
  });
});

test('both lists need a token', async () => {
  for (const path of ['/api/achievements/', '/api/achievements/user_achievements/'])
    expect((await t.call('GET', path)).status).toBe(401);
});

test('an achievement is dated by the game that wins it, and the machine and the player see it', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const game = aGame(t, player, { played_at: ago(3 * DAY).toISOString() });
  expect(await recordReport(t, machine, [game])).toMatchObject([{ achievements: ['first-game'] }]);
  expect(await won(player)).toEqual([
    { key: 'first-game', unlocked_at: game.played_at, game: game.id },
  ]);
  const second = aGame(t, player, { score: 301 });
  expect(await recordReport(t, machine, [second])).toMatchObject([
    { achievements: ['personal-best'] },
  ]);
  expect(await won(player)).toMatchObject([{ key: 'personal-best' }, { key: 'first-game' }]);
});

test('in a batch each achievement goes to the game that wins it, in the order of play', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const machine = await makeMachine(t);
  const week = weekOf(ago(14 * DAY), 'UTC');
  const games = Array.from({ length: 10 }, (_, at) =>
    aGame(t, player, {
      score: [5, 6, 7, 8, 1, 1, 1, 1, 1, 1][at],
      played_at: new Date(Date.parse(week) + at * 10 * HOUR).toISOString(),
    }),
  );
  const results = await recordReport(t, machine, games.toReversed());
  const wonBy = new Map(results.map((one) => [one.id, 'achievements' in one && one.achievements]));
  expect(games.map(({ id }) => wonBy.get(id))).toEqual([
    ['first-game', 'first-league-game'],
    ['personal-best'],
    [],
    ['three-better', 'four-counted'],
    [],
    [],
    [],
    ['all-eight'],
    [],
    ['games-10'],
  ]);
});

test('GAME-09: a rule with a higher `need` takes more games to win, and the progress counts up to `need`', async () => {
  const [better, days] = ['three-better', 'five-days'].map((key) =>
    GAME_RULES.find((rule) => rule.key === key),
  );
  if (better === undefined || days === undefined) throw new Error('no rule');
  const needs = [better.need, days.need] as const;
  const setNeeds = (ofBetter: number, ofDays: number) => {
    better.need = ofBetter;
    days.need = ofDays;
  };
  onTestFinished(async () => {
    setNeeds(...needs);
    await rebuild(t);
  });
  setNeeds(6, 12);
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  // One game on each of twelve days. Each of the last six beats the game before it.
  for (const [at, score] of [90, 80, 70, 60, 50, 1, 2, 3, 4, 5, 6, 7].entries()) {
    expect(await keys(player)).not.toContain('three-better');
    expect(await keys(player)).not.toContain('five-days');
    await makeGames(t, machine, player, [{ score, played_at: ago((11 - at) * DAY + HOUR) }]);
    if (at === 10)
      expect(await progress(player)).toMatchObject({
        'three-better': { have: 5, need: 6 },
        'five-days': { have: 11, need: 12 },
      });
  }
  expect(await keys(player)).toEqual(expect.arrayContaining(['five-days', 'three-better']));
});

test('a late game completes five days in a row with the stored games', async () => {
  const player = await makePlayer(t);
  const machine = await makeMachine(t);
  const noon = (daysAgo: number) => {
    const day = ago(daysAgo * DAY);
    day.setUTCHours(12, 0, 0, 0);
    return { played_at: day };
  };
  for (const day of [9, 8, 6, 5]) await makeGames(t, machine, player, [noon(day)]);
  expect(await keys(player)).not.toContain('five-days');
  const [late] = await makeGames(t, machine, player, [noon(7)]);
  expect(await won(player)).toContainEqual(
    expect.objectContaining({ key: 'five-days', game: late?.id }),
  );
});

test('days follow the league’s zone: an evening in New York is not the next day', async () => {
  const [inLeague, nowhere] = [await makePlayer(t), await makePlayer(t)];
  await makeTeam(t, await makeLeague(t, { timezone: 'America/New_York' }), [inLeague]);
  const machine = await makeMachine(t);
  // The five `evenings` are on five days in New York, but on three days in UTC.
  const first = Date.parse(
    ago(20 * DAY)
      .toISOString()
      .slice(0, 10),
  );
  const evenings = [2, 23, 50, 74, 95].map((hours) => ({
    played_at: new Date(first + hours * HOUR),
  }));
  for (const player of [inLeague, nowhere])
    for (const evening of evenings) await makeGames(t, machine, player, [evening]);
  expect(await keys(inLeague)).toContain('five-days');
  expect(await keys(nowhere)).not.toContain('five-days');
});

test('progress follows the games, and is complete when the achievement is won', async () => {
  const player = await makePlayer(t);
  await makeTeam(t, await makeLeague(t), [player]);
  const machine = await makeMachine(t);
  goToMidweek(t);
  expect(await progress(player)).toMatchObject({
    'first-game': null,
    'personal-best': null,
    'team-win': null,
    'games-10': { have: 0, need: 10 },
    'three-better': { have: 0, need: 3 },
    'five-days': { have: 0, need: 5 },
    'all-eight': { have: 0, need: 8 },
  });
  await makeGames(
    t,
    machine,
    player,
    [30, 1, 2, 3].map((score, at) => ({
      score,
      played_at: ago((at < 2 ? 26 : 4) * HOUR - at * HOUR),
    })),
  );
  expect(await progress(player)).toMatchObject({
    'games-10': { have: 4, need: 10 },
    'games-100': { have: 4, need: 100 },
    'three-better': { have: 2, need: 3 },
    'five-days': { have: 2, need: 5 },
    'four-counted': { have: 4, need: 4 },
    'all-eight': { have: 4, need: 8 },
  });
  // Yesterday's run can go on; a day later it is over.
  t.clock.advance(DAY);
  expect(await progress(player)).toMatchObject({ 'five-days': { have: 2, need: 5 } });
  t.clock.advance(DAY);
  expect(await progress(player)).toMatchObject({ 'five-days': { have: 0, need: 5 } });
  t.clock.advance(7 * DAY);
  expect(await progress(player)).toMatchObject({
    'four-counted': { have: 4, need: 4 },
    'all-eight': { have: 0, need: 8 },
  });
});

test('a finished week wins achievements for the team and its best player, dated by their last counted game', async () => {
  const [star, helper, absent, foe] = [
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
  ];
  goToMidweek(t);
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: week });
  const team = await makeTeam(t, league, [star, helper, absent]);
  await makeTeam(t, league, [foe]);
  await generateSchedule(t, league, { weeks: 1 });
  t.clock.advance(Date.parse(addDays(week, 6)) - t.clock.now().getTime());
  const machine = await makeMachine(t);
  await makeGames(t, machine, foe, [{ score: 500, played_at: ago(5 * HOUR) }]);
  const starGames = await makeGames(
    t,
    machine,
    star,
    [300, 10].map((score, at) => ({ score, played_at: ago((4 - at) * HOUR) })),
  );
  const [helped] = await makeGames(t, machine, helper, [{ score: 200, played_at: ago(2 * HOUR) }]);
  expect(await keys(star)).not.toContain('team-win');
  expect(await keys(star)).not.toContain('best-of-team');

  t.clock.advance(DAY);
  const last = starGames[1];
  expect(await won(star)).toEqual(
    expect.arrayContaining([
      { key: 'team-win', unlocked_at: last?.played_at.toISOString(), game: last?.id },
      { key: 'best-of-team', unlocked_at: last?.played_at.toISOString(), game: last?.id },
    ]),
  );
  expect(await won(helper)).toContainEqual(
    expect.objectContaining({ key: 'team-win', game: helped?.id }),
  );
  expect(await keys(helper)).not.toContain('best-of-team');
  expect(await keys(absent)).toEqual([]);
  expect(await keys(foe)).not.toContain('team-win');

  // SEASON-30: a ruling decides the week. SEASON-32: a postponed week wins nothing.
  const side = await t.db
    .selectFrom('matchup_sides')
    .select(['team_id', 'season_id', 'week'])
    .where('league_id', '=', league.id)
    .where('home', '=', true)
    .executeTakeFirstOrThrow();
  const homeIsOurs = side.team_id === team.id;
  await sql`
    insert into matchup_rulings (team_id, week, ruling, reason, at)
    values (${side.team_id}, ${week}, ${homeIsOurs ? 'away' : 'home'}, 'Left early', now())`.execute(
    t.db,
  );
  expect(await keys(star)).not.toContain('team-win');
  expect(await keys(star)).toContain('best-of-team');
  expect(await keys(foe)).toContain('team-win');
  await sql`delete from matchup_rulings`.execute(t.db);
  await sql`
    insert into season_pauses (season_id, week, reason, at, by_plan)
    values (${side.season_id}, ${week}, 'A burst pipe', now(), false)`.execute(t.db);
  expect(await keys(star)).not.toContain('best-of-team');
  await sql`delete from season_pauses`.execute(t.db);
  expect(await keys(star)).toEqual(expect.arrayContaining(['team-win', 'best-of-team']));

  await makeGames(t, machine, foe, [{ score: 11, played_at: ago(2 * DAY) }]);
  expect(await keys(star)).not.toContain('team-win');
  expect(await keys(foe)).toContain('team-win');
});

test('a rebuild awards a newly added achievement for old games', async () => {
  const player = await makePlayer(t);
  await joinTeam(t, await makeTeam(t, await makeLeague(t)), [player], ago(20 * DAY));
  const games = await makeGames(
    t,
    await makeMachine(t),
    player,
    Array.from({ length: 12 }, (_, at) => ({ score: at, played_at: ago((13 - at) * HOUR) })),
  );
  const before = await won(player);
  await t.db
    .deleteFrom('player_achievements')
    .where('player_id', '=', player.id)
    .where('key', 'in', ['games-10', 'three-better'])
    .execute();
  const { changed } = await rebuild(t);
  expect(changed).toEqual({ statistics: 0, high_scores: 0, league_weeks: 0, achievements: 2 });
  expect(await won(player)).toEqual(before);
  expect(before).toContainEqual({
    key: 'games-10',
    unlocked_at: games[9]?.played_at.toISOString(),
    game: games[9]?.id,
  });
});
