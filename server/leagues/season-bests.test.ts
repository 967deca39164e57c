import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { BestGame } from '#contract/wire/leagues.ts';
import {
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { deletePlayer } from '../players/erase.ts';
import { addDays, weekOf } from './calendar.ts';
import { removeFromTeam } from './rosters.ts';

const { t, ago } = midweekApp();

const newLeague = () => makeLeague(t, { starts: addDays(weekOf(t.clock.now(), 'UTC'), -7) });

async function bestGames(viewer: { id: number }): Promise<BestGame[]> {
  const as = await makeSession(t, viewer);
  const { status, body } = await t.call('GET', '/api/leaderboards/user-league-season/', { as });
  expect(status).toBe(200);
  return body.best_games;
}
const brief = (games: BestGame[]) =>
  games.map(({ place, username, team, week, score }) => [place, username, team, week, score]);

test('LEAGUE-20: the list has at most five games, and equal scores share a place', async () => {
  const league = await newLeague();
  const [one, two] = [await makePlayer(t), await makePlayer(t)];
  await makeTeam(t, league, [one], { name: 'Ones' });
  await makeTeam(t, league, [two], { name: 'Twos' });
  const machine = await makeMachine(t);
  expect(await bestGames(one)).toEqual([]);
  // Held games, games before the season, and games after a week's first 8 are not listed.
  await makeGames(t, machine, one, [{ score: 990, played_at: ago(14 * DAY) }]);
  await makeGames(t, machine, one, [
    { score: 500, played_at: ago(7 * DAY) },
    { score: 400, played_at: ago(20 * HOUR) },
    ...Array.from({ length: 7 }, (_, at) => ({ score: at, played_at: ago((19 - at) * HOUR) })),
    { score: 980, played_at: ago(HOUR) },
  ]);
  await makeGames(t, machine, two, [
    { score: 400, played_at: ago(30 * HOUR) },
    { score: 300, played_at: ago(20 * HOUR) },
    { score: 299, played_at: ago(10 * HOUR) },
    { score: 10_000, played_at: ago(9 * HOUR) },
  ]);
  expect(brief(await bestGames(one))).toEqual([
    [1, one.username, 'Ones', 1, 500],
    [2, two.username, 'Twos', 2, 400],
    [2, one.username, 'Ones', 2, 400],
    [4, two.username, 'Twos', 2, 300],
    [5, two.username, 'Twos', 2, 299],
  ]);
});

test('LEAGUE-20: a week that version 0.2 updated shows its best game', async () => {
  const league = await newLeague();
  const player = await makePlayer(t);
  await makeTeam(t, league, [player]);
  const machine = await makeMachine(t);
  await makeGames(t, machine, player, [
    { score: 300, played_at: ago(8 * DAY) },
    ...[100, 90, 80, 70, 60].map((score, at) => ({ score, played_at: ago((20 - at) * HOUR) })),
  ]);
  // Version 0.2 records a game of 900 and leaves the stored best score as it was.
  await makeGames(t, machine, player, [{ score: 900, played_at: ago(HOUR) }]);
  await sql`update league_weeks set best = 100, best_sum = score_sum - 900
    where player_id = ${player.id} and best = 900`.execute(t.db);
  expect((await bestGames(player)).map(({ score }) => score)).toEqual([900, 300, 100, 90, 80]);
});

test('LEAGUE-20, P68: the game of a player who has left the league has no name, and no team if nobody else was on it', async () => {
  const league = await newLeague();
  const [viewer, mate, left, alone, open, gone] = await Promise.all([
    makePlayer(t, { visibility: 'league' }),
    makePlayer(t, { visibility: 'league' }),
    makePlayer(t, { visibility: 'league' }),
    makePlayer(t, { visibility: 'league' }),
    makePlayer(t, { visibility: 'players' }),
    makePlayer(t),
  ]);
  const home = await makeTeam(t, league, [viewer, mate, left, gone], { name: 'Home' });
  const lone = await makeTeam(t, league, [alone], { name: 'Lone' });
  const openly = await makeTeam(t, league, [open], { name: 'Openly' });
  const machine = await makeMachine(t);
  for (const [at, player] of [viewer, left, alone, open, gone].entries())
    await makeGames(t, machine, player, [{ score: 500 - at, played_at: ago(HOUR) }]);
  await removeFromTeam(t, home, left.email);
  await removeFromTeam(t, lone, alone.email);
  await removeFromTeam(t, openly, open.email);
  await t.db.transaction().execute((trx) => deletePlayer(trx, gone.id, t.clock.now()));
  const rows = await bestGames(viewer);
  expect(brief(rows)).toEqual([
    [1, viewer.username, 'Home', 2, 500],
    [2, null, 'Home', 2, 499],
    [3, null, null, 2, 498],
    [4, open.username, 'Openly', 2, 497],
    [5, null, 'Home', 2, 496],
  ]);
  expect(rows[1]).toMatchObject({ username: null, avatar_color: null, jersey_number: null });
  // With two players on the team, its name does not reveal whose game it is.
  await joinTeam(t, lone, [await makePlayer(t)], t.clock.now());
  expect((await bestGames(mate))[2]).toMatchObject({ username: null, team: 'Lone' });
});

test('LEAGUE-20: the best games are found among many weeks, players and teams', async () => {
  const league = await makeLeague(t, { starts: addDays(weekOf(t.clock.now(), 'UTC'), -56) });
  const players = await Promise.all(Array.from({ length: 6 }, () => makePlayer(t)));
  const since = ago(400 * DAY);
  const teams = [
    await makeTeam(t, league, players.slice(0, 3), { since }),
    await makeTeam(t, league, players.slice(3), { since }),
  ];
  const machine = await makeMachine(t);
  for (const [index, player] of players.entries()) {
    const games = Array.from({ length: 40 }, (_, at) => ({
      score: (at * 7919 + index * 104_729) % 997,
      played_at: ago(((at * 31 + index) % (50 * 24)) * HOUR),
    }));
    await makeGames(t, machine, player, games);
    const other = teams[index < 3 ? 1 : 0];
    if (other && index % 3 === 0) {
      await joinTeam(t, other, [player], t.clock.now());
      await makeGames(t, machine, player, [{ score: 996 - index, played_at: t.clock.now() }]);
    }
  }
  const { rows } = await sql<{ score: number }>`
    select score from (
      select g.*, row_number() over (partition by player_id, week order by played_at, id) as nth
      from games g where state = 'counted' and team_id is not null
    ) g join teams t on t.id = g.team_id
    where t.league_id = ${league.id} and nth <= 8 and week >= ${league.starts_on}
    order by score desc limit 5`.execute(t.db);
  const [viewer] = players;
  if (viewer === undefined) throw new Error('no player');
  expect((await bestGames(viewer)).map(({ score }) => score)).toEqual(
    rows.map(({ score }) => score),
  );
});
