import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
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
import { type TestApp, testApp } from '#testing/app/test-app.ts';
import { addDays, startOf, weekOf } from './calendar.ts';
import { readLastWeek } from './last-week.ts';
import { generateSchedule } from './schedule.ts';

const { t } = midweekApp();

const get = async (app: TestApp, player: { id: number }) =>
  app.call('GET', '/api/leaderboards/user-league-last-week/', {
    as: await makeSession(app, player),
  });
const lastWeek = async (player: { id: number }) => {
  const answer = await get(t, player);
  expect(answer.status).toBe(200);
  return answer.body.last;
};
const thisMonday = (app = t) => startOf(weekOf(app.clock.now(), 'UTC'), 'UTC');
/** Games in the closed week, one an hour from Tuesday 00:00 UTC. */
const then = (scores: number[], app = t) =>
  scores.map((score, at) => ({
    score,
    played_at: new Date(thisMonday(app).getTime() - 6 * DAY + at * HOUR),
  }));

/** Two teams that met last week and meet this week. */
async function makeMatchup(app = t) {
  const players = [
    await makePlayer(app, { avatar_color: '#DC8438', jersey_number: '07' }),
    await makePlayer(app, { avatar_color: '#3BD97C', jersey_number: '13' }),
    await makePlayer(app),
    await makePlayer(app),
  ] as const;
  const [one, two, idle, rival] = players;
  const starts = addDays(weekOf(app.clock.now(), 'UTC'), -21);
  const league = await makeLeague(app, { starts });
  const team = await makeTeam(app, league, [one, two, idle]);
  const against = await makeTeam(app, league, [rival]);
  const week = addDays(weekOf(app.clock.now(), 'UTC'), -7);
  await generateSchedule(app, league, { weeks: 4 });
  return { one, two, idle, rival, league, team, against, week, machine: await makeMachine(app) };
}

test('the response describes the whole last closed week: names, jerseys and sums', async () => {
  const { one, two, rival, team, against, week, machine } = await makeMatchup();
  await makeGames(t, machine, one, then([310, 295, 402, 251, 388]));
  await makeGames(t, machine, two, then([587]));
  await makeGames(t, machine, rival, then([900, 100]));
  for (const days of [-8, 1])
    await makeGames(t, machine, one, [
      { score: 999, played_at: new Date(thisMonday().getTime() + days * DAY) },
    ]);
  const { status, body } = await get(t, one);
  expect(status).toBe(200);
  expect(body).toEqual({
    last: {
      week: 3,
      from: week,
      to: addDays(week, 6),
      team: team.name,
      team_total_score: 1395 + 587,
      opponent: against.name,
      opponent_total_score: 1000,
      players: [
        {
          username: one.username,
          avatar_color: '#DC8438',
          jersey_number: '07',
          weekly_total_score: 1395,
        },
        {
          username: two.username,
          avatar_color: '#3BD97C',
          jersey_number: '13',
          weekly_total_score: 587,
        },
      ],
      best: { username: two.username, score: 587 },
    },
    week_closes_at: new Date(thisMonday().getTime() + 7 * DAY).toISOString(),
  });
  expect(await lastWeek(rival)).toMatchObject({
    team: against.name,
    team_total_score: 1000,
    opponent: team.name,
    opponent_total_score: 1982,
    best: { username: rival.username, score: 900 },
  });
});

test('the best game is one that counts for the team: not the ninth, and not one for another team', async () => {
  const { one, two, team, against, machine } = await makeMatchup();
  await makeGames(t, machine, one, then([1, 2, 3, 4, 5, 6, 7, 8, 900]));
  await makeGames(t, machine, two, then([700]));
  await joinTeam(t, against, [two], new Date(thisMonday().getTime() - 3 * DAY));
  expect(await lastWeek(one)).toMatchObject({
    team: team.name,
    best: { username: two.username, score: 700 },
  });
  // When the week closed, this player was on the other team, and had no game for that team.
  expect(await lastWeek(two)).toMatchObject({
    team: against.name,
    team_total_score: 0,
    opponent_total_score: 26 + 700,
    players: [],
    best: null,
  });
});

test('a player who moves after the week has closed sees the old team', async () => {
  const { one, team, against, machine } = await makeMatchup();
  await makeGames(t, machine, one, then([400]));
  await joinTeam(t, against, [one], thisMonday());
  expect(await lastWeek(one)).toMatchObject({ team: team.name, best: { score: 400 } });
});

test('a player has no last week without an opponent, without games, or as a new member', async () => {
  const { one, idle, rival, team, league, machine } = await makeMatchup();
  expect(await lastWeek(one)).toBeNull();
  await makeGames(t, machine, rival, then([5]));
  expect(await lastWeek(idle)).toMatchObject({ team_total_score: 0, opponent_total_score: 5 });

  const newcomer = await makePlayer(t);
  await joinTeam(t, team, [newcomer], thisMonday());
  expect(await lastWeek(newcomer)).toBeNull();

  const free = await makePlayer(t);
  await makeTeam(t, league, [free]);
  await makeGames(t, machine, free, then([300]));
  expect(await lastWeek(free)).toBeNull();

  const early = await makePlayer(t);
  const young = await makeLeague(t, { starts: weekOf(t.clock.now(), 'UTC') });
  await makeTeam(t, young, [early]);
  expect(await lastWeek(early)).toBeNull();

  const alone = await get(t, await makePlayer(t));
  expect([alone.status, alone.body]).toEqual([400, { detail: 'You are not on a team.' }]);
});

test('SEASON-30: a player has no last week to share while a ruling decides it', async () => {
  const { one, rival, team, against, week, machine } = await makeMatchup();
  await makeGames(t, machine, one, then([400]));
  const ruling = { week, ruling: 'away' as const, reason: 'Why', at: t.clock.now() };
  // The ruling of the home side counts.
  const both = [team.id, against.id].map((team_id) => ({ ...ruling, team_id }));
  await t.db.insertInto('matchup_rulings').values(both).execute();
  expect([await lastWeek(one), await lastWeek(rival)]).toEqual([null, null]);
  await t.db.deleteFrom('matchup_rulings').where('team_id', '=', team.id).execute();
  await t.db.deleteFrom('matchup_rulings').where('team_id', '=', against.id).execute();
  expect(await lastWeek(one)).toMatchObject({ team_total_score: 400 });
});

test('a deleted account leaves its points and nothing else', async () => {
  const { one, two, machine } = await makeMatchup();
  await makeGames(t, machine, one, then([300]));
  await makeGames(t, machine, two, then([800]));
  await t.db.deleteFrom('players').where('id', '=', two.id).execute();
  expect(await lastWeek(one)).toMatchObject({
    team_total_score: 1100,
    players: [{ username: one.username }],
    best: { username: one.username, score: 300 },
  });
});

test('the last week changes with a late game, and on the next Monday', async () => {
  const app = await testApp();
  goToMidweek(app);
  const { one, week, machine } = await makeMatchup(app);
  await makeGames(app, machine, one, then([300], app));
  expect((await get(app, one)).body.last.best.score).toBe(300);
  await makeGames(app, machine, one, then([0, 301], app).slice(1));
  expect((await get(app, one)).body.last).toMatchObject({ from: week, best: { score: 301 } });
  await makeGames(app, machine, one, [{ score: 50 }]);
  app.clock.advance(7 * DAY);
  expect((await get(app, one)).body.last).toMatchObject({
    from: addDays(week, 7),
    team_total_score: 50,
  });
  await app.close();
});

test('reading the last week costs no more with a long history', async () => {
  const app = await testApp();
  goToMidweek(app);
  const { one, rival, team, against, machine } = await makeMatchup(app);
  await makeGames(app, machine, one, then([300, 400], app));
  await makeGames(app, machine, rival, then([200], app));
  const costsOf = watchQueries(app, /./);
  const cost = async () => {
    const costs = await costsOf(() => readLastWeek(app, one.id));
    expect(costs).toHaveLength(6);
    return costs.reduce((sum, { pages }) => sum + pages, 0);
  };
  await sql`analyze`.execute(app.db);
  const before = await cost();
  await sql`
    insert into league_weeks (team_id, week, player_id, games_played, score_sum, total, fourth_best)
    select t, ${weekOf(app.clock.now(), 'UTC')}::date - 7 * w, p, 8, 3000, 2000, 400
    from unnest(${[team.id, against.id]}::integer[]) t, generate_series(2, 520) w,
      generate_series(100000, 100019) p`.execute(app.unlimited);
  const end = new Date(thisMonday(app).getTime() - 7 * DAY);
  await sql`
    insert into games (machine_id, id, player_id, score, played_at, day, received_at, state, digest,
      team_id, week)
    select ${machine.id}, gen_random_uuid(), ${one.id}, n % 900, at, at::date, at, 'counted',
      sha256(n::text::bytea), ${team.id}, date_trunc('week', at at time zone 'UTC')::date
    from generate_series(1, 8000) n,
      lateral (select ${end}::timestamptz - n * interval '20 minutes' as at) a`.execute(
    app.unlimited,
  );
  await sql`analyze`.execute(app.db);
  expect(await cost()).toBeLessThanOrEqual(before + 20);
  await app.close();
});
