import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine } from '#testing/app/command-line.ts';
import { codeFor } from '#testing/app/mails.ts';
import { aGame, goToMidweek, makeIp, makeSession } from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { weekOf } from './calendar.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

const t = withApp();
let cli: Awaited<ReturnType<typeof commandLine>>;
beforeAll(async () => {
  cli = await commandLine(t);
});
afterAll(async () => {
  cli.close();
});

async function signUp(name: string) {
  const email = `${name}@example.com`;
  const ip = makeIp();
  await t.call('POST', '/api/users/auth/register/', { body: { email }, ip });
  const code = await codeFor(t, email);
  const { body } = await t.call('POST', '/api/users/verify-email/', { body: { email, code }, ip });
  const as = { access: body.tokens.access };
  for (const patch of [
    { date_of_birth: '2000-01-31' },
    { username: name, password: 'bank shot from the left', profile_setup_complete: true },
  ])
    expect((await t.call('PATCH', '/api/users/profile/', { as, body: patch })).status).toBe(200);
  return { name, uuid: body.user.uuid as string, as };
}

test('LEAGUE-12: in a season from an empty database, players put themselves on teams', async () => {
  goToMidweek(t);
  const teams = ['Rim Rattlers', 'Glass Cannons'];
  const typed: string[] = [];
  const operator = (...words: string[]) => {
    typed.push(words.join(' '));
    return cli.json(...words);
  };
  const { key } = await operator('machine', 'add', 'Hoop 1', '--venue', 'Dockside Arcade');
  await operator('league', 'create', 'City League', '--timezone', 'UTC');
  for (const team of teams) await operator('team', 'create', 'City League', team);
  await operator('schedule', 'generate', 'City League', '--weeks', '2');
  await operator('league', 'joining', 'City League', 'open');

  const players: Awaited<ReturnType<typeof signUp>>[] = [];
  for (const [at, name] of ['ana', 'ben', 'cyd', 'dov'].entries()) {
    const player = await signUp(name);
    const { code } = await operator('team', 'code', teams[at % 2] ?? '');
    const joined = await t.call('POST', `/api/teams/join/${code}/`, { as: player.as });
    expect(joined.body).toEqual({ state: 'joined' });
    players.push(player);
  }

  const scores: Record<string, number> = { ana: 300, ben: 200, cyd: 110, dov: 100 };
  t.clock.advance(600_000);
  for (const player of players) {
    const played = await t.call('POST', '/api/machine/games/', {
      as: { key },
      body: { games: [aGame(t, player, { score: scores[player.name] })] },
    });
    expect(played.body.results).toEqual([
      expect.objectContaining({ status: 'recorded', counts: 'league' }),
    ]);
    t.clock.advance(10_000);
  }
  t.clock.advance(WEEK_MS);
  const { standings } = await operator('standings', 'City League');
  expect(standings).toEqual([
    { place: 1, team: 'Rim Rattlers', won: 1, drawn: 0, lost: 0, total: 410 },
    { place: 2, team: 'Glass Cannons', won: 0, drawn: 0, lost: 1, total: 300 },
  ]);
  expect(typed.filter((words) => words.includes('@'))).toEqual([]);

  const [ana] = players;
  const { id } = await t.db
    .selectFrom('players')
    .select('id')
    .where('username', '=', ana?.name ?? '')
    .executeTakeFirstOrThrow();
  const season = await t.call('GET', '/api/leaderboards/user-league-season/', {
    as: await makeSession(t, { id }),
  });
  expect(season.body.schedule[0].from).toBe(
    weekOf(new Date(t.clock.now().getTime() - WEEK_MS), 'UTC'),
  );
  expect(season.body.schedule[0].matchups[0]).toMatchObject({
    home_total: expect.any(Number),
    away_total: expect.any(Number),
  });
});
