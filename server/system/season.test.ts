import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeFor } from '#testing/app/mails.ts';
import { makeIp, makeSession } from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';

/*
 * A season from an empty database, by the API alone: players sign up, join by codes, and play to
 * the end (LEAGUE-12 to LEAGUE-14).
 */

const LEAGUE = 'Dockside League';
const TEAMS = ['Bankers', 'Reapers', 'Profits', 'Beaters'];
const WEEKS = 3;
const PER_TEAM = 2;
/** One more than a week's league games. */
const GAMES = 9;
const GAME_MS = 20 * 60_000;

const { t } = midweekApp();

type Player = { id: number; uuid: string; username: string };

const typed: { path: string; body: unknown }[] = [];
async function operate(path: string, body?: object) {
  if (body) typed.push({ path, body });
  const answer = await t.call(body ? 'POST' : 'GET', `/api/operator/${path}`, {
    as: { key: OPERATOR_KEY },
    body,
    ip: makeIp(),
  });
  expect([path, answer.status]).toEqual([path, body ? expect.any(Number) : 200]);
  expect(answer.status).toBeLessThan(300);
  return answer.body;
}

async function signUp(username: string): Promise<Player> {
  const email = `${username.toLowerCase()}@example.com`;
  const post = (path: string, body: object) => t.call('POST', path, { body, ip: makeIp() });
  await post('/api/users/auth/register/', { email });
  const code = await codeFor(t, email);
  const verified = await post('/api/users/verify-email/', { email, code });
  const { tokens, user } = verified.body;
  for (const change of [
    { date_of_birth: '1990-01-31' },
    { username, password: 'bank shot', avatar_color: '#DB8537', jersey_number: '07' },
  ]) {
    const saved = await t.call('PATCH', '/api/users/profile/', { as: tokens, body: change });
    expect(saved.status).toBe(200);
  }
  const { id } = await t.db
    .selectFrom('players')
    .select('id')
    .where('uuid', '=', user.uuid)
    .executeTakeFirstOrThrow();
  return { id, uuid: user.uuid, username };
}

/** Opens a session for each call, because access tokens are valid for ten minutes. */
const callAs = async (player: Player, method: string, path: string) =>
  t.call(method, path, { as: await makeSession(t, player), ip: makeIp() });

const scoreOf = (at: number, n: number) => 100 * (at + 1) + n;

async function playWeek(key: string, seats: { player: Player; at: number }[]): Promise<void> {
  const began = t.clock.now().getTime() - GAMES * GAME_MS;
  const games = seats.flatMap(({ player, at }) =>
    Array.from({ length: GAMES }, (_, n) => ({
      id: randomUUID(),
      player: player.uuid,
      score: scoreOf(at, n),
      played_at: new Date(began + n * GAME_MS).toISOString(),
    })),
  );
  const answer = await t.call('POST', '/api/machine/games/', { as: { key }, body: { games } });
  const counts = answer.body.results.map((result: { counts: string }) => result.counts);
  expect(counts.filter((one: string) => one === 'league')).toHaveLength(seats.length * (GAMES - 1));
  expect(counts.filter((one: string) => one === 'over_8')).toHaveLength(seats.length);
}

test('LEAGUE-12 to LEAGUE-14: in a season of players who put themselves on teams, the operator types no address', async () => {
  const { key } = await operate('machines/', { name: 'Hoop 1', venue: 'Dockside Arcade' });
  await operate('leagues/', { name: LEAGUE, timezone: 'UTC' });
  const codes: string[] = [];
  for (const name of TEAMS) {
    await operate('teams/', { league: LEAGUE, name });
    codes.push((await operate('teams/code/', { team: name })).code);
  }
  await operate('leagues/schedule/', { league: LEAGUE, weeks: WEEKS });
  await operate('leagues/joining/', { league: LEAGUE, joining: 'open' });

  const seats: { player: Player; at: number }[] = [];
  const seat = async (at: number, state: 'joined' | 'asked') => {
    const player = await signUp(`Player_${seats.length}`);
    seats.push({ player, at });
    const page = await callAs(player, 'GET', `/api/teams/join/${codes[at]}/`);
    expect(page.body).toMatchObject({ team: TEAMS[at], mine: 'none' });
    const joined = await callAs(player, 'POST', `/api/teams/join/${codes[at]}/`);
    expect(joined.body).toEqual({ state });
    return player;
  };
  for (let n = 1; n < TEAMS.length * PER_TEAM; n += 1) await seat(n % TEAMS.length, 'joined');
  // The last player asks to join, and staff accept from the list of requests.
  await operate('leagues/joining/', { league: LEAGUE, joining: 'ask' });
  const last = await seat(0, 'asked');
  const [asked] = (await operate('teams/requests/')).results;
  expect(asked).toMatchObject({ team: TEAMS[0], username: last.username });
  await operate('teams/accept/', { team: asked.team, email: asked.email });

  for (let week = 1; week <= WEEKS; week += 1) {
    t.clock.advance(6 * HOUR);
    await playWeek(key, seats);
    t.clock.advance(7 * DAY - 6 * HOUR);
  }

  // The better team wins each matchup.
  const best4 = (at: number) => [4, 5, 6, 7].reduce((sum, n) => sum + scoreOf(at, n), 0);
  const table = TEAMS.map((team, at) => ({
    place: TEAMS.length - at,
    team,
    won: at,
    drawn: 0,
    lost: WEEKS - at,
    total: WEEKS * PER_TEAM * best4(at),
  })).reverse();
  expect((await operate(`leagues/standings/?league=${LEAGUE}`)).standings).toEqual(table);
  const season = await callAs(last, 'GET', '/api/leaderboards/user-league-season/');
  expect(season.body).toMatchObject({ league: LEAGUE, weeks: WEEKS, standings: table });
  expect(season.body.best_games[0]).toMatchObject({ team: 'Beaters', score: scoreOf(3, 7) });

  const addresses = typed.filter(({ body }) => JSON.stringify(body).includes('@'));
  expect(addresses.map(({ path }) => path)).toEqual(['teams/accept/']);
});
