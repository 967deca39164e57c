import { expect, test } from 'vitest';
import {
  aGame,
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';

const t = withApp();

test('P30f: no response reveals more about other players than usernames and sums', async () => {
  goToMidweek(t);
  const [me, mate, rival, stranger] = [
    await makePlayer(t, { date_of_birth: '1991-01-11' }),
    await makePlayer(t, { date_of_birth: '1992-02-12' }),
    await makePlayer(t, { date_of_birth: '1993-03-13' }),
    await makePlayer(t, { date_of_birth: '1994-04-14' }),
  ];
  const league = await makeLeague(t);
  await makeTeam(t, league, [me, mate], { name: 'Home' });
  await makeTeam(t, league, [rival], { name: 'Away' });
  await t.call('POST', '/api/operator/leagues/schedule/', {
    as: { key: OPERATOR_KEY },
    body: { league: league.name, weeks: 4 },
  });
  const machine = await makeMachine(t, { venue: 'Dockside Arcade' });
  for (const one of [me, mate, rival, stranger])
    await makeGames(t, machine, one, [{ score: 100 }, { score: 200 }]);
  const as = await makeSession(t, me);

  const paths = Object.entries(t.app.swagger().paths ?? {})
    .filter(([path, calls]) => 'get' in calls && !path.startsWith('/api/operator/'))
    .map(([path]) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/api/leaderboards/', '/api/users/profile/games/']),
  );
  const answers: [path: string, text: string][] = [];
  for (const path of paths.filter((path) => !path.includes('events')))
    for (const query of ['', '?scope=league', '?scope=venue&period=week'])
      answers.push([
        path,
        JSON.stringify(
          (await t.call('GET', `${path.replace('{uuid}', mate.uuid)}${query}`, { as })).body,
        ),
      ]);
  const greeting = await t.call('GET', `/api/machine/players/${mate.uuid}/`, {
    as: { key: machine.key },
  });
  const played = await t.call('POST', '/api/machine/games/', {
    as: { key: machine.key },
    body: { games: [aGame(t, mate)] },
  });
  expect([greeting.status, played.status]).toEqual([200, 200]);
  answers.push(['a machine', JSON.stringify([greeting.body, played.body])]);

  // The answers must name the others, otherwise the test proves nothing.
  const everything = answers.map(([, text]) => text).join();
  for (const { username } of [mate, rival, stranger]) expect(everything).toContain(username);
  for (const [path, text] of answers)
    for (const other of [mate, rival, stranger])
      for (const secret of [other.email, other.uuid, other.date_of_birth])
        expect([path, text.includes(secret ?? '')]).toEqual([path, false]);
});
