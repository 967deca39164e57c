import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Found } from '#contract/wire/search.ts';
import {
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';

const t = withApp();
const mark = () => `q${randomUUID().slice(0, 7)}`;

const search = (text: string, headers?: Record<string, string>) =>
  t.call('POST', '/api/operator/search/', {
    ...(headers === undefined ? { as: { key: OPERATOR_KEY } } : { headers }),
    body: { text },
  });
const kinds = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).body.results.map(({ kind, name }: Found) => `${kind} ${name}`);

test('HAND-C12: one search finds players, teams, machines, leagues and screens, 5 of each', async () => {
  const word = mark();
  const venue = `Venue of ${randomUUID()}`;
  for (let at = 0; at < 6; at++)
    await makeMachine(t, { name: `${at === 5 ? '' : 'A '}${word} ${at}`, venue });
  const player = await makePlayer(t, { username: `the-${word}` });
  const league = await makeLeague(t, { name: `League ${word.toUpperCase()}` });
  const team = await makeTeam(t, league, [player], { name: `Team ${word}` });
  const { id: screen } = await makeScreen(t, venue, `Screen ${word}`);
  const { body } = await search(word);
  expect(body.results.map(({ kind }: Found) => kind)).toEqual([
    'player',
    'team',
    ...Array(5).fill('machine'),
    'league',
    'screen',
  ]);
  // A name that begins with the text comes first.
  expect(body.results[2].name).toBe(`${word} 5`);
  const of = (kind: string) => body.results.find((found: Found) => found.kind === kind);
  expect(of('player')).toEqual({
    kind: 'player',
    id: String(player.id),
    name: player.username,
    about: team.name,
  });
  expect(of('team').about).toBe(league.name);
  expect(of('screen')).toMatchObject({ id: String(screen), about: venue });
  expect((await search('q')).body).toEqual({ text: ['Type at least 2 characters.'] });
  expect(await kinds(`${word}%`)).toEqual([]);
});

test('HAND-C12, STAFF-02: staff find only what they reach, and floor staff only machines', async () => {
  const word = mark();
  const make = async (side: string) => {
    const venue = `${side} ${randomUUID()}`;
    await makeMachine(t, { name: `${side} machine ${word}`, venue });
    await makeScreen(t, venue, `${side} screen ${word}`);
    const league = await makeLeague(t, { name: `${side} league ${word}` });
    const player = await makePlayer(t, { username: `${word}-${side}` });
    const team = await makeTeam(t, league, [player], { name: `${side} team ${word}` });
    return { venue, league, team };
  };
  const [near, far] = [await make('near'), await make('far')];
  const given = { venues: [near.venue], leagues: [near.league.name] };
  const { headers } = await makeStaff(t, { role: 'manager', ...given });
  // Staff find every player (STAFF-40), but no team out of reach.
  expect(await kinds(word, headers)).toEqual([
    `player ${word}-far`,
    `player ${word}-near`,
    `team near team ${word}`,
    `machine near machine ${word}`,
    `league near league ${word}`,
    `screen near screen ${word}`,
  ]);
  expect(JSON.stringify((await search(word, headers)).body)).not.toContain(far.team.name);
  const floor = await makeStaff(t, { role: 'floor', ...given });
  expect(await kinds(word, floor.headers)).toEqual([`machine near machine ${word}`]);
});
