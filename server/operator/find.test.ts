import { expect, test } from 'vitest';
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

const t = withApp();

const asKey = { as: { key: OPERATOR_KEY } };

test('OPS-03: a 404 about something other than a person suggests no names of persons', async () => {
  const { name } = await makeStaff(t, { role: 'floor', name: 'Maria' });
  const call = async (path: string, body: object) => {
    const answer = await t.call('POST', `/api/operator/staff/${path}`, { ...asKey, body });
    return [answer.status, answer.body.detail];
  };
  expect(await call('change/', { staff: name, venues: ['Hal'] })).toEqual([
    404,
    'There is no venue “Hal”.',
  ]);
  expect(await call('unlink/', { staff: name })).toEqual([404, 'Maria has no open link.']);
  expect(await call('change/', { staff: 'Mara', name: 'Mia' })).toEqual([
    404,
    'There is no member of staff “Mara”. Did you mean “Maria”?',
  ]);
});

test('P63: a 404 suggests only names within reach, whatever the call', async () => {
  await makeMachine(t, { name: 'Left hoop', venue: 'Here' });
  await makeMachine(t, { name: 'Lift hoop', venue: 'There' });
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
  for (const path of ['rotate/', 'revoke/', 'stop-old-key/', 'repair/', 'change/']) {
    const body = { machine: 'Lef hoop', name: path === 'change/' ? 'Other' : undefined };
    const { status, body: answer } = await t.call('POST', `/api/operator/machines/${path}`, {
      headers,
      body: path === 'repair/' ? { ...body, done: false } : body,
    });
    expect([path, status, answer.detail]).toEqual([
      path,
      404,
      'There is no machine “Lef hoop”. Did you mean “Left hoop”?',
    ]);
  }
});

test('STAFF-02: a game out of reach gets the same refusal as one that never existed', async () => {
  const there = await makeMachine(t, { venue: 'There' });
  await makeGames(t, there, await makePlayer(t), [{}]);
  await makeMachine(t, { venue: 'Here' });
  const { headers } = await makeStaff(t, { role: 'manager', venues: ['Here'] });
  const { seq } = await t.db
    .selectFrom('games')
    .select('seq')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  const show = async (game: number) => {
    const { status, body } = await t.call('GET', `/api/operator/games/show/?game=${game}`, {
      headers,
    });
    return [status, body.detail.replace(String(game), 'N')];
  };
  const refused = [403, 'None of your venues and leagues has a game N. Ask an owner.'];
  expect(await show(Number(seq))).toEqual(refused);
  expect(await show(Number(seq) + 1)).toEqual(refused);
});

test('STAFF-02: finding many named players takes as many queries as finding one', async () => {
  const hoop = await makeMachine(t, { venue: 'Club' });
  const [league, stranger] = [await makeLeague(t), await makePlayer(t)];
  const team = await makeTeam(t, league);
  const { headers } = await makeStaff(t, {
    venues: ['Club'],
    leagues: [league.name],
    role: 'manager',
  });
  const players = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makePlayer(t)));
  for (const player of players) await makeGames(t, hoop, player, [{}]);
  const add = (named: object) =>
    t.call('POST', '/api/operator/teams/add/', {
      headers,
      body: { team: `id:${team.id}`, ...named },
    });
  const read = readRows(t);
  const queries = async (named: object) => {
    const costs = await read(async () => expect((await add(named)).status).toBe(200));
    return costs.filter(({ text }) => /^\s*select.*\bplayers\b/s.test(text)).length;
  };
  const [first, second, ...others] = players.map(({ username, id }) => ({
    username,
    id: String(id),
  }));
  const one = await queries({ usernames: [first?.username], accounts: [second?.id] });
  const usernames = others.map(({ username }) => username?.toUpperCase());
  expect(await queries({ usernames, accounts: [first?.id, second?.id] })).toBe(one);
  const refused = await add({ usernames: [first?.username, stranger.username] });
  expect([refused.status, refused.body.detail]).toEqual([
    403,
    `${stranger.username} has played at none of your venues: use the address, or send the player the code of the team.`,
  ]);
});

test('one machine is shown without reading the games of the others', async () => {
  const [shown, other] = [await makeMachine(t), await makeMachine(t)];
  const player = await makePlayer(t);
  await makeGames(t, shown, player, [{}]);
  const at = (n: number) => new Date(t.clock.now().getTime() - n * 1_000);
  await makeGames(
    t,
    other,
    player,
    Array.from({ length: 500 }, (_, n) => ({ played_at: at(n) })),
  );
  const read = readRows(t);
  const show = () => t.call('GET', `/api/operator/machines/show/?machine=id:${shown.id}`, asKey);
  expect((await show()).body).toMatchObject({ name: shown.name, games_today: 1 });
  const rows = (await read(show)).reduce((sum, one) => sum + one.rows, 0);
  expect(rows).toBeLessThan(50);
});
