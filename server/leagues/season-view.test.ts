import { expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { addDays, weekOf } from './calendar.ts';
import { generateSchedule } from './schedule.ts';
import { readSeason } from './season-view.ts';

const { t, ago } = midweekApp();

const get = async (player: { id: number }, path: string) =>
  t.call('GET', path, { as: await makeSession(t, player) });

test('P31e: a late game counts in the week in which it was played, in the season too', async () => {
  const [one, two] = [await makePlayer(t), await makePlayer(t)];
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -7) });
  await makeTeam(t, league, [one], { name: 'Ones' });
  await makeTeam(t, league, [two], { name: 'Twos' });
  await generateSchedule(t, league, { weeks: 3 });
  const machine = await makeMachine(t);
  const season = async () => (await get(one, '/api/leaderboards/user-league-season/')).body;
  await makeGames(t, machine, one, [
    { score: 100, played_at: ago(5 * DAY) },
    { score: 500, played_at: ago(HOUR) },
  ]);
  expect(await season()).toMatchObject({
    league: league.name,
    week: 2,
    weeks: 3,
    standings: [
      { place: 1, team: 'Ones', won: 1, drawn: 0, lost: 0, total: 100 },
      { place: 2, team: 'Twos', won: 0, drawn: 0, lost: 1, total: 0 },
    ],
  });
  // This game arrives late, because the machine had no network.
  await makeGames(t, machine, two, [{ score: 101, played_at: ago(5 * DAY) }]);
  const { standings, schedule } = await season();
  expect(standings).toMatchObject([
    { team: 'Twos', won: 1, total: 101 },
    { team: 'Ones', won: 0, lost: 1, total: 100 },
  ]);
  expect(schedule).toMatchObject([
    { week: 1, from: addDays(week, -7), to: addDays(week, -1), bye: null },
    { week: 2, from: week, to: addDays(week, 6) },
    { week: 3, from: addDays(week, 7) },
  ]);
  const totals = (schedule as { matchups: { home: string; home_total: number | null }[] }[]).map(
    ({ matchups }) => matchups[0],
  );
  expect(totals).toEqual([
    expect.objectContaining({ home: 'Ones', home_total: 100, away_total: 101 }),
    expect.objectContaining({ home: 'Twos', home_total: 0, away_total: 500 }),
    expect.objectContaining({ home_total: null, away_total: null }),
  ]);
});

test('the table counts finished weeks only, and its totals include byes', async () => {
  const players = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -21) });
  for (const [at, player] of players.entries())
    await makeTeam(t, league, [player], { name: `T${at}` });
  await generateSchedule(t, league, { weeks: 4 });
  const machine = await makeMachine(t);
  for (const [at, player] of players.entries())
    await makeGames(
      t,
      machine,
      player,
      [3, 2, 1, 0].map((weeks) => ({
        score: 100 * (at + 1),
        played_at: ago(weeks * 7 * DAY + HOUR),
      })),
    );
  const season = await readSeason(t.db, league, t.clock.now());
  expect(season.standings).toEqual([
    { place: 1, team: 'T2', won: 2, drawn: 0, lost: 0, total: 900 },
    { place: 2, team: 'T1', won: 1, drawn: 0, lost: 1, total: 600 },
    { place: 3, team: 'T0', won: 0, drawn: 0, lost: 2, total: 300 },
  ]);
  expect(
    season.schedule
      .slice(0, 3)
      .map(({ bye }) => bye)
      .sort(),
  ).toEqual(['T0', 'T1', 'T2']);
});
