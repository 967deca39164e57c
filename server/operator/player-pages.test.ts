import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeGames, makeLeague, makeMachine, makePlayer, makeTeam } from '../testing/make.ts';
import { OPERATOR_KEY, type TestApp, testApp } from '../testing/test-app.ts';

let t: TestApp;
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  t = await testApp();
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});
afterAll(() => t.close());

const as = { key: OPERATOR_KEY };
const search = (body: object) => t.call('POST', '/api/operator/players/search/', { as, body });
const page = (account: string) =>
  t.call('GET', `/api/operator/players/page/?account=${account}`, { as });

test('OPS-18: players are found by a part of the name, the whole address, or the code', async () => {
  const mark = randomUUID().slice(0, 8);
  const player = await makePlayer(t, { username: `Aa${mark}` });
  const team = await makeTeam(t, await makeLeague(t), [player]);
  await makeGames(t, machine, player, [{ score: 411 }]);
  for (const text of [mark.toUpperCase(), player.email.toUpperCase(), player.uuid]) {
    const { status, body } = await search({ text });
    expect([text, status, body.results.length, body.more]).toEqual([text, 200, 1, false]);
    expect(body.results[0]).toMatchObject({
      id: String(player.id),
      username: player.username,
      team: team.name,
      games_played: 1,
      highscore: 411,
      last_played_at: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(player.email);
  }
  for (const text of [player.email.slice(1), '%', '__', `${mark}'; --`])
    expect([text, (await search({ text: `${text}x` })).body.results]).toEqual([text, []]);
});

test('OPS-18: without a text, who played last comes first; at most 20 come', async () => {
  const mark = randomUUID().slice(0, 6);
  const many = await Promise.all(
    Array.from({ length: 22 }, (_, at) => makePlayer(t, { username: `${mark}z${at}` })),
  );
  const [last] = many;
  if (last) await makeGames(t, machine, last, [{ score: 5, played_at: t.clock.now() }]);
  const { body } = await search({});
  expect(body.results[0].id).toBe(String(last?.id));
  const found = (await search({ text: mark })).body;
  expect([found.results.length, found.more]).toEqual([20, true]);
  expect((await search({ text: 'a' })).body).toEqual({ text: ['Type at least 2 characters.'] });
});

test('OPS-18 P65: the page has the age as a band, and each look is a line of the audit', async () => {
  const bands = [
    [14, '13 to 15'],
    [16, '16 or 17'],
    [25, '18 or over'],
    [null, 'unknown'],
  ] as const;
  const born = (years: number) => {
    const day = t.clock.now();
    day.setUTCFullYear(day.getUTCFullYear() - years);
    return day.toISOString().slice(0, 10);
  };
  for (const [years, age] of bands) {
    const date_of_birth = years === null ? null : born(years);
    const player = await makePlayer(t, { date_of_birth });
    const { status, body } = await page(String(player.id));
    expect([status, body.age, body.email]).toEqual([200, age, player.email]);
    expect(JSON.stringify(body)).not.toContain(String(date_of_birth ?? 'no date'));
    const audit = await t.call('GET', '/api/operator/audit/', { as });
    expect(JSON.stringify(audit.body)).toContain(`Looked at ${player.username}`);
  }
  expect((await page('999999999')).status).toBe(404);
  expect((await page('x')).body).toEqual({ account: ['This is not the number of an account.'] });
});
