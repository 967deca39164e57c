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
import { readCode, setJoining } from './joining.ts';
import { generateSchedule } from './schedule.ts';

const { t, ago } = midweekApp();

type Player = { id: number };

const teamPage = async (as: Player, team: string) =>
  t.call('GET', `/api/leaderboards/user-league-team/?team=${encodeURIComponent(team)}`, {
    as: await makeSession(t, as),
  });

const bornAt = (age: number) => {
  const date = t.clock.now();
  date.setUTCFullYear(date.getUTCFullYear() - age, 0, 1);
  return date.toISOString().slice(0, 10);
};

async function makeSeason() {
  const child = await makePlayer(t, { date_of_birth: bornAt(14), visibility: 'league' });
  const [mine, shown, other] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -7) });
  const ours = await makeTeam(t, league, [mine], { name: 'Ones & Co' });
  await makeTeam(t, league, [child, shown], { name: 'Twos' });
  const elsewhere = await makeLeague(t, {});
  await makeTeam(t, elsewhere, [other], { name: 'Threes' });
  await generateSchedule(t, league, { weeks: 2 });
  const machine = await makeMachine(t);
  for (const [player, score] of [
    [mine, 100],
    [child, 300],
    [shown, 200],
  ] as const)
    await makeGames(t, machine, player, [
      { score, played_at: ago(5 * DAY) },
      { score: score + 1, played_at: ago(HOUR) },
    ]);
  return { child, mine, shown, other, league, ours };
}

test('HAND-64: the page of a team of the league has its place, its week and its results', async () => {
  const { mine, child, shown } = await makeSeason();
  const { status, body } = await teamPage(mine, 'Twos');
  expect(status).toBe(200);
  expect(body).toEqual({
    team: 'Twos',
    league: expect.any(String),
    place: 1,
    won: 1,
    drawn: 0,
    lost: 0,
    week: {
      teammates: [child, shown].map((player, at) => ({
        username: player.username,
        weekly_games_played: 1,
        weekly_avg_score: 301 - at * 100,
        weekly_total_score: 301 - at * 100,
      })),
      team_total_games_played: 2,
      team_max_possible_games: 16,
      team_avg: 251,
      team_total_score: 502,
      opponent: {
        name: 'Ones & Co',
        total_games_played: 1,
        max_possible_games: 8,
        team_avg: 101,
        total_score: 101,
      },
    },
    week_closes_at: `${addDays(weekOf(t.clock.now(), 'UTC'), 7)}T00:00:00.000Z`,
    results: [{ week: 1, opponent: 'Ones & Co', own: 500, other: 100 }],
  });
  const own = await teamPage(mine, 'ones & co');
  expect(own.body).toMatchObject({
    team: 'Ones & Co',
    place: 2,
    lost: 1,
    results: [{ week: 1, opponent: 'Twos', own: 100, other: 500 }],
  });
});

test('P112: a team of another league and an unknown team get the same answer', async () => {
  const { mine, other } = await makeSeason();
  const nobody = await makePlayer(t);
  const refused = { team: ['No such team in your league.'] };
  const [foreign, unknown] = [await teamPage(mine, 'Threes'), await teamPage(mine, 'Nowhere')];
  expect(foreign).toMatchObject({ status: 400, body: refused });
  expect(JSON.stringify(unknown.body)).toBe(JSON.stringify(foreign.body));
  expect((await teamPage(other, 'Twos')).body).toEqual(refused);
  expect(await teamPage(nobody, 'Twos')).toMatchObject({
    status: 400,
    body: { detail: 'You are not on a team.' },
  });
});

test('P112 LEAGUE-23: a player who joined by a code sees only names that everybody sees', async () => {
  const { league, ours, child, shown } = await makeSeason();
  await setJoining(t, league, 'open');
  const guest = await makePlayer(t);
  const joined = await t.call('POST', `/api/teams/join/${await readCode(t.db, ours)}/`, {
    as: await makeSession(t, guest),
  });
  expect(joined.body).toEqual({ state: 'joined' });
  const { body } = await teamPage(guest, 'Twos');
  const names = (body.week.teammates as { username: string }[]).map(({ username }) => username);
  expect(names).toEqual(['A player', shown.username]);
  expect(JSON.stringify(body)).not.toContain(child.username);
  expect(JSON.stringify(body)).not.toMatch(/"(id|player_id|uuid)"/);
});
