import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { readRows } from '#testing/app/query-cost.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { NAME_ENDINGS, searchPlayers } from './search.ts';

const t = withApp();
let machine: Awaited<ReturnType<typeof makeMachine>>;
beforeAll(async () => {
  machine = await makeMachine(t, { venue: 'Dockside Arcade' });
});

const as = { key: OPERATOR_KEY };
const search = (body: object) => t.call('POST', '/api/operator/players/search/', { as, body });

test('OPS-18: players are found by letters of the name, the whole address, or the code', async () => {
  const mark = `q${randomUUID().slice(0, 7)}`;
  const player = await makePlayer(t, { username: `Aa-Bb_Ccc${mark.toUpperCase()}` });
  const team = await makeTeam(t, await makeLeague(t), [player]);
  await makeGames(t, machine, player, [{ score: 411 }]);
  for (const text of [
    mark.slice(0, 6).toUpperCase(),
    mark.slice(1),
    `b_Ccc${mark}`,
    `AA bb_C ${mark}`,
    `aa-bb_ccc${mark}`,
    player.email.toUpperCase(),
    player.uuid,
  ]) {
    const { status, body } = await search({ text });
    expect([text, status, body.results.length, body.more]).toEqual([text, 200, 1, false]);
    expect(body.results[0]).toMatchObject({
      id: String(player.id),
      username: player.username,
      team: team.name,
      games_played: 1,
      highscore: 411,
      last_played_at: expect.any(String),
      last_machine: machine.name,
    });
    expect(JSON.stringify(body)).not.toContain(player.email);
  }
  for (const text of [
    player.email.slice(1),
    '%',
    '__',
    `${mark}'; --`,
    `bb-ccc${mark}`,
    `${mark}:* | b`,
  ])
    expect([text, (await search({ text: `${text}x` })).body.results]).toEqual([text, []]);
});

test('OPS-18: without a text, the player who played last comes first, and at most 20 are listed', async () => {
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

test('OPS-18: the list has a player even if another player has many later games', async () => {
  const [regular, other] = [await makePlayer(t), await makePlayer(t)];
  const busy = await makeMachine(t);
  const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * 60_000);
  await makeGames(t, busy, other, [{ played_at: ago(100) }]);
  await makeGames(
    t,
    busy,
    regular,
    Array.from({ length: 22 }, (_, at) => ({ played_at: ago(90 - at * 4) })),
  );
  const ids = (await search({})).body.results.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([String(regular.id), String(other.id)]));
});

test('OPS-18: the search uses the same expression as the index, so that it can use the index', async () => {
  const plan = await t.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql`explain select id from players
      where username is not null and ${NAME_ENDINGS} @@ 'a:*'::tsquery`.execute(trx);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('players_name_endings');
});

test('STAFF-02: staff of one venue see the last games there, not those of other venues', async () => {
  const mark = `v${randomUUID().slice(0, 7)}`;
  const player = await makePlayer(t, { username: mark });
  const there = await makeMachine(t, { venue: `There ${mark}` });
  await makeMachine(t, { venue: `Here ${mark}` });
  await makeGames(t, there, player, [{ score: 5, played_at: t.clock.now() }]);
  const seen = async (venue: string) => {
    const { headers } = await makeStaff(t, { role: 'manager', venues: [venue] });
    const find = async (body: object) =>
      (await t.call('POST', '/api/operator/players/search/', { headers, body })).body.results;
    const [found] = await find({ text: mark });
    return [found.last_machine, (await find({})).length];
  };
  expect(await seen(`Here ${mark}`)).toEqual([null, 0]);
  expect(await seen(`There ${mark}`)).toEqual([there.name, 1]);
});

test('OPS-18: the player whose name is exactly the text comes first', async () => {
  const mark = `w${randomUUID().slice(0, 6)}`;
  for (let at = 0; at < 22; at++) await makePlayer(t, { username: `${mark}-${at}` });
  const exact = await makePlayer(t, { username: `${mark}` });
  const { body } = await search({ text: mark.toUpperCase() });
  expect([body.results[0].username, body.more]).toEqual([exact.username, true]);
});

test('OPS-18: no search reads the whole table', { timeout: 60_000 }, async () => {
  const PLAYERS = 20_000;
  await sql`
    insert into players (email, username, created_at)
    select 'many' || n || '@example.com', 'many' || n || '_Fits' || n % 500, now()
    from generate_series(1, ${PLAYERS}::integer) n`.execute(t.unlimited);
  await sql`vacuum analyze`.execute(t.unlimited);
  const read = readRows(t);
  for (const [text, most] of [
    ['nobody', 10],
    ['fits421', 500],
    ['MANY1999 fits', 500],
    ['nobody@example.com', 10],
    [randomUUID(), 10],
    [undefined, 500],
  ] as const) {
    const [cost] = await read(() => searchPlayers(t.db, text, { kind: 'key' }));
    expect(cost?.rows, `${text}: ${cost?.scans.join(', ')}`).toBeLessThan(most);
  }

  const { results, more } = await searchPlayers(t.db, 'many', { kind: 'key' });
  expect([results.length, more]).toEqual([20, true]);
});
