import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ContestForStaff, ContestListed, ContestPage } from '#contract/wire/contests.ts';
import {
  goToMidweek,
  makeGames,
  makeIp,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
  makeStaff,
  numberOf,
} from '#testing/app/make.ts';
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { recount } from '../games/rebuild.ts';
import { settleContests } from './final.ts';
import { contestBoard, levelBy } from './points.ts';
import { isSettled, settleEach } from './settled.ts';

const { t } = midweekApp();
const MINUTE = 60_000;

type Player = Awaited<ReturnType<typeof makePlayer>>;
type Hoop = Awaited<ReturnType<typeof makeMachine>>;
let venues = 0;

/** A venue with machines, and functions that call the contest routes there. */
async function night({ machines = 1 } = {}) {
  venues += 1;
  // Otherwise `settleContests` would settle the contests of earlier tests, too.
  await sql`update contests set cancelled_at = ends_at where final_at is null`.execute(t.db);
  const venue = `Arcade ${venues}`;
  const hoops: Hoop[] = [];
  for (let at = 0; at < machines; at += 1)
    hoops.push(await makeMachine(t, { name: `Hoop ${venues}.${at + 1}`, venue }));
  const operator = async <T>(method: 'GET' | 'POST', path: string, body?: object) => {
    const query =
      method === 'GET' && body ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
    const staff = await makeStaff(t);
    const answer = await t.call(method, `/api/operator/contests/${path}${query}`, {
      headers: staff.headers,
      ...(method === 'POST' ? { body } : {}),
    });
    return { status: answer.status, body: answer.body as T & { detail?: string } };
  };
  const inMs = (ms: number) => new Date(t.clock.now().getTime() + ms).toISOString();
  const create = async (body: object = {}) =>
    operator<ContestListed>('POST', '', {
      venue,
      name: 'Friday Night Hoops',
      starts: inMs(MINUTE),
      ends: inMs(MINUTE + HOUR),
      ...body,
    });
  /** A contest that has run for `minutes`. */
  const running = async (body: object = {}, minutes = 30) => {
    const made = await create(body);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    t.clock.advance((minutes + 1) * MINUTE);
    return made.body;
  };
  const play = (player: Player, score: number, minutesAgo = 0, hoop = 0) =>
    makeGames(t, hoops[hoop] as Hoop, player, [
      { score, played_at: new Date(t.clock.now().getTime() - minutesAgo * MINUTE - 1_000) },
    ]);
  const page = async (player: Player | null, code: string) => {
    const as = player === null ? undefined : await makeSession(t, player);
    const answer = await t.call('GET', `/api/contests/${code}/`, {
      ...(as ? { as } : {}),
      ip: makeIp(),
    });
    return { status: answer.status, body: answer.body as ContestPage };
  };
  const staffPage = async (contest: string) =>
    (await operator<ContestForStaff>('GET', 'page/', { contest })).body;
  const status = (hoop: number, body: object) =>
    t.call('PUT', '/api/machine/status/', { as: { key: hoops[hoop]?.key ?? '' }, body });
  return { venue, hoops, operator, create, running, play, page, staffPage, status, inMs };
}

/** Ends a contest and waits out its grace. */
async function end(minutes = 60) {
  t.clock.advance(minutes * MINUTE);
  return settleContests(t);
}

test('CONTEST-01: a contest that starts in the current minute begins at once', async () => {
  const { create, inMs } = await night();
  const minute = Math.floor(t.clock.now().getTime() / MINUTE) * MINUTE;
  const ends = inMs(HOUR);
  for (const starts of ['now', new Date(minute).toISOString()]) {
    const { status, body } = await create({ starts, ends });
    expect([status, body.starts_at, body.state]).toEqual([
      201,
      new Date(minute).toISOString(),
      'running',
    ]);
    await sql`update contests set cancelled_at = ends_at where code = ${body.code}`.execute(t.db);
  }
  const late = await create({ starts: new Date(minute - 1_000).toISOString(), ends });
  expect(late.body).toEqual({
    starts: ['This time is past at the venue. Choose a later one, or begin now.'],
  });
});

test('CONTEST-01: a contest needs a possible window, and its machines can have no other contest then', async () => {
  const { create, operator, inMs } = await night();
  const hour = await create({ starts: undefined, ends: undefined });
  expect(hour.status).toBe(201);
  const { starts_at, ends_at, code, state } = hour.body;
  expect([
    new Date(starts_at).getUTCMinutes(),
    Date.parse(ends_at) - Date.parse(starts_at),
  ]).toEqual([0, 3 * HOUR]);
  expect([code.length, state]).toEqual([6, 'planned']);
  const refusals = [
    { ends: inMs(10 * MINUTE) },
    { ends: inMs(13 * HOUR) },
    { starts: inMs(-MINUTE), ends: inMs(HOUR) },
    { starts: inMs(61 * 24 * HOUR), ends: inMs(61 * 24 * HOUR + HOUR) },
    { machines: ['No such hoop'] },
    { name: 'x'.repeat(41) },
    { n: 21 },
  ];
  for (const body of refusals)
    expect([body, (await create({ scoring: 'first_n', ...body })).status]).toEqual([body, 400]);
  const again = await create({ starts: starts_at, ends: ends_at, name: 'Other' });
  expect([again.status, again.body.detail]).toEqual([
    409,
    '“Friday Night Hoops” is at the same time on the same machines.',
  ]);
  await operator('POST', 'cancel/', { contest: code });
  expect((await create({ starts: starts_at, ends: ends_at })).status).toBe(201);
});

test('CONTEST-01: two contests on different machines run at once, and a third gets 409', async () => {
  const { create, hoops } = await night({ machines: 3 });
  const on = (at: number) => create({ name: `Night ${at}`, machines: [hoops[at]?.name] });
  expect((await on(0)).status).toBe(201);
  expect((await on(1)).status).toBe(201);
  const third = await on(2);
  expect(third.status).toBe(409);
  expect(third.body.detail).toContain('at most 2 run at a venue');
});

test('CONTEST-02, 05, FRAME-03, FRAME-05, P104: everybody who plays is on the board, and the board becomes final after the grace', async () => {
  const { running, play, page, staffPage, venue, hoops } = await night();
  const { code, starts_at, ends_at } = await running();
  const [one, two] = [await makePlayer(t), await makePlayer(t)];
  await play(one, 500);
  await play(one, 400);
  await play(two, 450);
  // The first instant counts, the last does not.
  await makeGames(t, hoops[0] as Hoop, two, [
    { score: 1, played_at: new Date(starts_at) },
    { score: 998, played_at: new Date(ends_at) },
    { score: 999, played_at: new Date(Date.parse(starts_at) - 1) },
  ]);
  // Games before the start, and at another venue, do not count.
  await play(two, 999, 40);
  await makeGames(t, await makeMachine(t, { venue: `${venue} too` }), two, [{ score: 999 }]);
  expect((await page(one, code)).body).toMatchObject({
    state: 'running',
    players: 2,
    results: [
      { place: 1, username: one.username, points: 900 },
      { place: 2, username: two.username, points: 451 },
    ],
    mine: { place: 1, points: 900 },
  });
  expect(await end(29)).toBe(0);
  expect(await end(1)).toBe(0);
  expect((await page(one, code)).body).toMatchObject({ state: 'settling', waiting: [{}] });
  expect(await end(15)).toBe(1);
  expect(await settleContests(t)).toBe(0);
  expect((await page(one, code)).body).toMatchObject({ state: 'final', mine: { place: 1 } });
  expect((await staffPage(code)).version).toBe(1);
  for (const change of [
    sql`update contest_results set rows = '[]'`,
    sql`delete from contest_results`,
  ])
    await expect(change.execute(t.db)).rejects.toThrow('append-only');
});

test('CONTEST-04: `levelBy` says why one of two players with equal points is below the other', () => {
  const counting = (...scores: number[]) =>
    scores.map((score, at) => ({
      ...{ id: String(at), machine_id: 1, player_id: 1, score, played_at: new Date(at) },
    }));
  const of = (...scores: number[]) => ({
    points: scores.reduce((sum, score) => sum + score, 0),
    counting: counting(...scores),
  });
  expect(levelBy(of(500, 400), of(450, 450))).toBe('best_game');
  expect(levelBy(of(500, 400), of(400, 500))).toBe('earlier');
  expect(levelBy(of(500, 400), of(500, 300))).toBeNull();
});

test('CONTEST-13: the youngest player has a place like everybody else', async () => {
  const { running, play, page } = await night();
  const { code } = await running();
  const young = new Date(t.clock.now());
  young.setUTCFullYear(young.getUTCFullYear() - t.config.min_age);
  const child = await makePlayer(t, { date_of_birth: young.toISOString().slice(0, 10) });
  await play(child, 500);
  await play(await makePlayer(t), 400);
  expect((await page(child, code)).body.mine).toMatchObject({ place: 1, points: 500 });
});

test('CONTEST-05: a contest without games ends without places', async () => {
  const { running, staffPage } = await night();
  const { code } = await running();
  await end(60);
  expect(await staffPage(code)).toMatchObject({
    contest: { state: 'final', best: null },
    places: [],
  });
});

test('CONTEST-05, FRAME-04: a final result waits until all machines are done, and longer for held games', async () => {
  const { running, play, staffPage, status, operator } = await night({ machines: 2 });
  const { code } = await running();
  const player = await makePlayer(t);
  await play(player, 500);
  const [held] = await play(player, 99_999);
  for (const hoop of [0, 1]) await status(hoop, { queued: 0, playing: false });
  await end(30);
  const why = async () => (await staffPage(code)).waiting.map((one) => one.why);
  expect(await why()).toEqual(['silent', 'silent']);
  for (const hoop of [0, 1]) await status(hoop, { queued: hoop * 2, playing: false });
  const waiting = await staffPage(code);
  expect(waiting.waiting).toMatchObject([{ queued: 2, why: 'queued' }]);
  const game = String(await numberOf(t, held?.id));
  expect(waiting.held).toMatchObject([{ game, score: 99_999, place: 1 }]);
  await status(1, { queued: 0, playing: true });
  expect(await why()).toEqual(['playing']);
  expect(await settleContests(t)).toBe(0);
  // Once the first machine is done, its later reports change nothing.
  await status(0, { queued: 0, playing: true });
  await status(1, { queued: 0, playing: false });
  expect(await settleContests(t)).toBe(0);
  expect((await staffPage(code)).waiting).toEqual([]);
  const staff = await makeStaff(t);
  await t.call('POST', '/api/operator/held/release/', {
    headers: staff.headers,
    body: { game },
  });
  expect(await settleContests(t)).toBe(1);
  expect((await staffPage(code)).contest.best).toBe(99_999 + 500);
  expect((await operator('POST', 'cancel/', { contest: code })).status).toBe(400);
});

test('CONTEST-05: the page shows the highest of many held games, and the number of the others', async () => {
  const { hoops, running, staffPage } = await night();
  const { code } = await running();
  const [hoop] = hoops;
  if (hoop === undefined) throw new Error('no hoop');
  const at = t.clock.now().getTime();
  await makeGames(
    t,
    hoop,
    await makePlayer(t),
    Array.from({ length: 25 }, (_, n) => ({
      score: 20_000 + n,
      played_at: new Date(at - n * 1_000),
    })),
  );
  const { held, held_more } = await staffPage(code);
  expect(held.map(({ score }) => score)).toEqual(Array.from({ length: 20 }, (_, n) => 20_024 - n));
  expect(held_more).toBe(5);
});

test('CONTEST-06: a voided game changes a final contest only through a correction', async () => {
  const { running, play, page, staffPage, operator } = await night();
  const { code } = await running();
  const [one, two] = [await makePlayer(t), await makePlayer(t)];
  const [game] = await play(one, 500);
  await play(two, 400);
  expect(await end(60)).toBe(1);
  await sql`update games set state = 'void' where id = ${game?.id}`.execute(t.db);
  await t.db.transaction().execute((trx) => recount(trx, [one.id], t.clock.now()));
  expect((await page(two, code)).body.mine?.place).toBe(2);
  const changes = [`${two.username}: 1st, not 2nd`, `${one.username}: no game counts`];
  expect((await staffPage(code)).changes).toEqual(changes);
  expect((await operator('POST', 'leave/', { contest: code })).status).toBe(200);
  expect((await staffPage(code)).changes).toEqual([]);
  // After a late game, the offer returns.
  await play(two, 10, 70);
  expect((await staffPage(code)).changes).toEqual([
    `${two.username}: 410 points, not 400, 1st, not 2nd`,
    `${one.username}: no game counts`,
  ]);
  const corrected = await operator<{ changes: string[] }>('POST', 'correct/', {
    contest: code,
    reason: 'A friend played',
  });
  expect(corrected.body.changes).toHaveLength(2);
  expect((await page(two, code)).body.mine?.place).toBe(1);
  expect((await staffPage(code)).corrections).toMatchObject([
    { version: 2, reason: 'A friend played' },
  ]);
  const nothing = await operator('POST', 'correct/', { contest: code, reason: 'Why' });
  expect(nothing.status).toBe(400);
  t.clock.advance(31 * 24 * HOUR);
  expect((await operator('POST', 'correct/', { contest: code, reason: 'Why' })).body.detail).toBe(
    'A contest can be corrected for 30 days.',
  );
});

test('CONTEST-07: while a contest runs, staff can change only some of what they can change before', async () => {
  const { create, operator, hoops, inMs, play, page } = await night({ machines: 2 });
  const made = await create();
  const contest = made.body.code;
  const change = (body: object) => operator<ContestListed>('POST', 'change/', { contest, ...body });
  expect(
    (await change({ scoring: 'first_n', n: 3, machines: [hoops[0]?.name] })).body,
  ).toMatchObject({ scoring: 'first_n', n: 3, machines: [hoops[0]?.name] });
  expect((await operator('POST', 'stop/', { contest })).status).toBe(400);
  t.clock.advance(10 * MINUTE);
  expect((await change({ scoring: 'best' })).status).toBe(400);
  expect((await change({ machines: null })).status).toBe(400);
  expect((await change({ ends: inMs(-MINUTE) })).status).toBe(400);
  expect((await change({ name: 'Hoops', prizes: 'A shirt', ends: inMs(HOUR) })).body).toMatchObject(
    {
      name: 'Hoops',
      prizes: 'A shirt',
    },
  );
  const player = await makePlayer(t);
  await play(player, 100, 1);
  await play(player, 900, 1, 1);
  expect((await page(player, contest)).body.mine?.points).toBe(100);
  expect((await operator<ContestListed>('POST', 'stop/', { contest })).body.state).toBe('settling');
  expect((await change({ name: 'Late' })).status).toBe(400);
  expect((await operator<ContestListed>('POST', 'cancel/', { contest })).body.state).toBe(
    'cancelled',
  );
  expect((await page(player, contest)).body).toMatchObject({ state: 'cancelled', mine: null });
});

test('CONTEST-07: a game counts at the venue where its machine stood when it was received', async () => {
  const { running, play, page, hoops } = await night();
  const { code } = await running();
  const player = await makePlayer(t);
  await play(player, 300);
  const staff = await makeStaff(t);
  await makeMachine(t, { venue: 'Elsewhere' });
  await t.call('POST', '/api/operator/machines/change/', {
    headers: staff.headers,
    body: { machine: hoops[0]?.name, venue: 'Elsewhere' },
  });
  t.clock.advance(MINUTE);
  await play(player, 500);
  expect((await page(player, code)).body.mine?.points).toBe(300);
});

test('CONTEST-08: a contest that was stopped early is repeated with the default length', async () => {
  const { create, operator, inMs } = await night();
  const { body } = await create({ starts: 'now', ends: inMs(HOUR) });
  expect((await operator('POST', 'stop/', { contest: body.code })).status).toBe(200);
  const again = await operator<ContestListed>('POST', 'again/', { contest: body.code });
  expect(again.status).toBe(201);
  expect(Date.parse(again.body.ends_at) - Date.parse(again.body.starts_at)).toBe(3 * HOUR);
});

test('CONTEST-08: a repeated contest begins a week later at the same local time, even if the clocks change', async () => {
  const { create, operator, venue } = await night();
  const staff = await makeStaff(t);
  await t.call('POST', '/api/operator/venues/change/', {
    headers: staff.headers,
    body: { venue, timezone: 'America/New_York' },
  });
  const now = t.clock.now();
  // The Saturday evening before the next change of New York's clock.
  const change = [2, 10].flatMap((month) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), month, 1));
    const sunday =
      month === 2 ? 8 + ((7 - first.getUTCDay()) % 7) : 1 + ((7 - first.getUTCDay()) % 7);
    return [0, 1].map((year) => Date.UTC(now.getUTCFullYear() + year, month, sunday));
  });
  const next = Math.min(...change.filter((at) => at > now.getTime() + 8 * 24 * HOUR));
  t.clock.advance(next - 4 * 24 * HOUR - now.getTime());
  const day = new Date(next - 24 * HOUR).toISOString().slice(0, 10);
  const made = await create({ starts: `${day} 19:00`, ends: `${day} 22:00` });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const again = await operator<ContestListed>('POST', 'again/', { contest: made.body.code });
  expect(again.status).toBe(201);
  const days = (Date.parse(again.body.starts_at) - Date.parse(made.body.starts_at)) / (24 * HOUR);
  expect([Math.abs(Math.round((days - 7) * 24)), again.body.name]).toEqual([1, made.body.name]);
  const { rows } = await sql<{ clock: string }>`
    select to_char(timezone('America/New_York', ${again.body.starts_at}::timestamptz), 'HH24:MI') as clock`.execute(
    t.db,
  );
  expect(rows).toEqual([{ clock: '19:00' }]);
});

test('CONTEST-10: the profile shows a contest at the player’s venue, and later the player’s place', async () => {
  const { create, play } = await night();
  const [regular, stranger] = [await makePlayer(t), await makePlayer(t)];
  const running = async (player: Player) =>
    (await t.call('GET', '/api/users/profile/running/', { as: await makeSession(t, player) })).body
      .contest;
  await play(regular, 100, 60);
  const { code } = (
    await create({
      starts: new Date(t.clock.now().getTime() + 2 * HOUR).toISOString(),
      ends: new Date(t.clock.now().getTime() + 3 * HOUR).toISOString(),
    })
  ).body;
  expect(await running(regular)).toBeNull();
  t.clock.advance(HOUR + MINUTE);
  expect(await running(regular)).toMatchObject({ code, state: 'planned', place: null });
  expect(await running(stranger)).toBeNull();
  t.clock.advance(HOUR);
  await play(stranger, 200);
  expect(await running(stranger)).toMatchObject({ code, state: 'running', place: 1 });
  await end(75);
  expect(await running(stranger)).toMatchObject({ state: 'final', place: 1 });
  expect(await running(regular)).toBeNull();
  t.clock.advance(24 * HOUR);
  expect(await running(stranger)).toBeNull();
});

test('CONTEST-10: the profile prefers the contest that the player is in, then one that runs', async () => {
  const { create, play, inMs } = await night({ machines: 2 });
  const [player, other] = [await makePlayer(t), await makePlayer(t)];
  await play(other, 100, 60);
  const at = (from: number, to: number) => ({ starts: inMs(from), ends: inMs(to) });
  const early = (await create(at(MINUTE, HOUR))).body;
  const late = (await create(at(HOUR, 2 * HOUR))).body;
  const running = async (who: Player) =>
    (await t.call('GET', '/api/users/profile/running/', { as: await makeSession(t, who) })).body
      .contest;
  t.clock.advance(10 * MINUTE);
  await play(player, 300);
  expect(await running(player)).toMatchObject({ code: early.code, place: 1 });
  expect(await running(other)).toMatchObject({ code: early.code, place: null });
  // The other one is planned until the first one is over.
  t.clock.advance(HOUR - 10 * MINUTE);
  expect(await running(player)).toMatchObject({ code: late.code, state: 'running' });
});

test('CONTEST-10: of two contests that run, the profile shows the one with the player’s place', async () => {
  const { hoops, create, play } = await night({ machines: 2 });
  const player = await makePlayer(t);
  const on = (hoop: number) => ({ machines: [String(hoops[hoop]?.id)] });
  const first = (await create(on(0))).body;
  t.clock.advance(2 * MINUTE);
  await create({ ...on(1), starts: 'now' });
  await play(player, 300);
  const { body } = await t.call('GET', '/api/users/profile/running/', {
    as: await makeSession(t, player),
  });
  expect(body.contest).toMatchObject({ code: first.code, place: 1, games_left: null });
});

test('CONTEST-03: the profile says how many first games are left to a player', async () => {
  const { running, play } = await night();
  await running({ scoring: 'first_n', n: 2 });
  const player = await makePlayer(t);
  const as = await makeSession(t, player);
  const left = async () =>
    (await t.call('GET', '/api/users/profile/running/', { as })).body.contest?.games_left;
  await play(player, 300);
  expect(await left()).toBe(1);
  await play(player, 200);
  await play(player, 100);
  expect(await left()).toBe(0);
});

test('CONTEST-10: a contest that counts no more games of the player gives way to one that runs', async () => {
  const { hoops, create, play } = await night({ machines: 2 });
  const on = (hoop: number) => ({ machines: [String(hoops[hoop]?.id)] });
  await create({ ...on(0), scoring: 'first_n', n: 1 });
  const other = (await create(on(1))).body;
  t.clock.advance(2 * MINUTE);
  const player = await makePlayer(t);
  await play(player, 300);
  const as = await makeSession(t, player);
  const { body } = await t.call('GET', '/api/users/profile/running/', { as });
  expect(body.contest).toMatchObject({ code: other.code, place: null });
});

test('CONTEST-10: of two contests to come, the profile shows the next to begin', async () => {
  const { create, play, inMs } = await night();
  const player = await makePlayer(t);
  await play(player, 300);
  const next = (await create({ starts: inMs(10 * MINUTE), ends: inMs(30 * MINUTE) })).body;
  await create({ starts: inMs(40 * MINUTE), ends: inMs(HOUR) });
  const as = await makeSession(t, player);
  const { body } = await t.call('GET', '/api/users/profile/running/', { as });
  expect(body.contest).toMatchObject({ code: next.code, state: 'planned' });
});

test('CONTEST-10: the page has a board of 20, the player’s row with its neighbours, and what each game counts for', async () => {
  const { running, play, page } = await night();
  const { code } = await running({ scoring: 'first_n', n: 2 });
  for (let at = 0; at < 24; at += 1) await play(await makePlayer(t), 1_000 - at);
  const last = await makePlayer(t);
  for (const [at, score] of [10, 20, 900].entries()) await play(last, score, 20 - at);
  await play(last, 99_999);
  const { body } = await page(last, code);
  expect(body.results).toHaveLength(20);
  expect(body.around.map(({ place }) => place)).toEqual([23, 24, 25]);
  expect([body.above, body.players]).toEqual([22, 25]);
  expect(body.mine).toMatchObject({
    place: 25,
    points: 30,
    games: [
      { score: 20, counts: 'counts' },
      { score: 10, counts: 'counts' },
      { score: 900, counts: 'over' },
      { score: 99_999, counts: 'held' },
    ],
  });
  const games = await t.call('GET', '/api/users/profile/games/', {
    as: await makeSession(t, last),
  });
  expect(games.body.results.map(({ also }: { also: string[] }) => also)).toEqual([
    [],
    ['contest'],
    ['contest'],
    ['contest'],
  ]);
});

test('CONTEST-12, P103: a visitor sees points without names, and wrong codes are limited', async () => {
  const { running, play, page } = await night();
  const { code } = await running();
  const player = await makePlayer(t, { username: 'Visible_1', visibility: 'venue' });
  await play(player, 500);
  const { body } = await page(null, code);
  expect(body).toMatchObject({
    players: 1,
    mine: null,
    results: [{ points: 500, username: null }],
  });
  expect(JSON.stringify(body)).not.toContain('Visible_1');
  expect((await page(null, 'ZZZZZZ')).status).toBe(404);
  const as = await makeSession(t, player);
  const statuses = [];
  for (let at = 0; at < 12; at += 1)
    statuses.push((await t.call('GET', '/api/contests/ZZZZZZ/', { as })).status);
  expect([statuses[9], statuses[10]]).toEqual([404, 429]);
});

test('CONTEST-09: a screen gets a game of a contest at once, and names only players whom it may name', async () => {
  const { running, play, venue, staffPage } = await night();
  const { code } = await running({
    prizes: '1st: bar tab of 50. 2nd and 3rd: a shirt.',
    only: true,
  });
  const [shown, hidden] = [
    await makePlayer(t, { visibility: 'venue' }),
    await makePlayer(t, { visibility: 'players' }),
  ];
  expect((await staffPage(code)).screens).toBe(0);
  const { token } = await makeScreen(t, venue);
  expect((await staffPage(code)).screens).toBe(1);
  const contests = async () =>
    (await t.call('GET', '/api/screen/', { as: { key: token } })).body.contests;
  expect(await contests()).toMatchObject([{ code, places: [], only: true, final_at: null }]);
  await play(hidden, 500);
  await play(shown, 400);
  expect(await contests()).toMatchObject([
    {
      prize: '1st: bar tab of 50',
      url: `${t.config.public_url}/contest/${code}`,
      places: [
        { place: 1, username: null, jersey_number: null, score: 500 },
        { place: 2, username: shown.username, score: 400 },
      ],
    },
  ]);
  await end(75);
  const [final] = await contests();
  expect(Date.parse(final.shown_until)).toBeGreaterThan(Date.parse(final.final_at));
  t.clock.advance(24 * HOUR);
  expect(await contests()).toEqual([]);
});

test('CONTEST-09: a contest that has just become final reaches the screens before those to come', async () => {
  // The venue closes long after this test.
  goToMidweek(t);
  const { running, create, play, venue, inMs } = await night();
  const first = await running({}, 10);
  await play(await makePlayer(t), 300);
  const next = (await create({ starts: inMs(2 * HOUR), ends: inMs(3 * HOUR) })).body;
  await create({ starts: inMs(3 * HOUR), ends: inMs(4 * HOUR) });
  const { token } = await makeScreen(t, venue);
  const codes = async () => {
    const { body } = await t.call('GET', '/api/screen/', { as: { key: token } });
    return (body.contests as { code: string }[]).map(({ code }) => code);
  };
  expect(await codes()).toEqual([first.code, next.code]);
  expect(await end(50 + 15)).toBe(1);
  expect(await codes()).toEqual([first.code, next.code]);
  t.clock.advance(HOUR);
  // The next one runs, and the winner of the first one stays until closing.
  expect(await codes()).toEqual([next.code, first.code]);
});

test('CONTEST-09: a contest that runs is on the screens before those that wait for a held game', async () => {
  goToMidweek(t);
  const { hoops, create, play, venue, inMs } = await night({ machines: 3 });
  const on = (hoop: number, from: number, minutes: number) =>
    create({
      ...{ machines: [String(hoops[hoop]?.id)], starts: inMs(from * MINUTE) },
      ends: inMs((from + minutes) * MINUTE),
    });
  const first = (await on(0, 1, 30)).body;
  await on(1, 2, 30);
  const running = (await on(2, 33, 60)).body;
  t.clock.advance(40 * MINUTE);
  await play(await makePlayer(t), 300);
  const { token } = await makeScreen(t, venue);
  const { body } = await t.call('GET', '/api/screen/', { as: { key: token } });
  const codes = (body.contests as { code: string }[]).map(({ code }) => code);
  expect(codes).toEqual([running.code, first.code]);
});

test('CONTEST-11: floor staff see the first three of a final contest, and managers see all players', async () => {
  const { running, play, venue } = await night();
  const { code } = await running();
  for (let at = 0; at < 4; at += 1) await play(await makePlayer(t), 500 - at);
  await end(75);
  const floor = await makeStaff(t, { role: 'floor', venues: [venue] });
  const list = await t.call('GET', '/api/operator/contests/', { headers: floor.headers });
  const found = list.body.results.find((one: ContestListed) => one.code === code);
  expect(found.winners.map(({ place }: { place: number }) => place)).toEqual([1, 2, 3]);
  const page = await t.call('GET', `/api/operator/contests/page/?contest=${code}`, {
    headers: floor.headers,
  });
  expect(page.status).toBe(403);
});

test('ACC-27: a player’s export has the places in final contests', async () => {
  const { running, play } = await night();
  await running();
  const player = await makePlayer(t);
  await play(player, 500);
  await end(60);
  const { body } = await t.call('GET', '/api/users/profile/export/', {
    as: await makeSession(t, player),
  });
  expect(body.contests).toMatchObject([{ place: 1, points: 500, games: 1 }]);
});

test('FRAME-06: a deleted account keeps its place without a name', async () => {
  const { running, play, page, staffPage } = await night();
  const { code } = await running();
  const [gone, other] = [await makePlayer(t), await makePlayer(t)];
  await play(gone, 500);
  await play(other, 400);
  await end(60);
  await t.db.deleteFrom('players').where('id', '=', gone.id).execute();
  expect((await page(other, code)).body.results).toMatchObject([
    { place: 1, username: null, points: 500 },
    { place: 2, username: other.username },
  ]);
  expect((await staffPage(code)).places[0]).toMatchObject({ username: null, account: null });
});

test('P107: several processes that settle a contest at once store one result', async () => {
  const { running, play } = await night();
  await running();
  await play(await makePlayer(t), 100);
  t.clock.advance(60 * MINUTE);
  const settled = await Promise.all([1, 2, 3, 4].map(() => settleContests(t)));
  expect(settled.reduce((sum, one) => sum + one, 0)).toBe(1);
});

// --- The pure rules --------------------------------------------------------------------------------

const played = fc.record({
  machine_id: fc.integer({ min: 1, max: 3 }),
  player_id: fc.integer({ min: 1, max: 5 }),
  score: fc.integer({ min: 0, max: 4 }),
  at: fc.integer({ min: 0, max: 6 }),
});

test('CONTEST-03, 04: places and points equal those that SQL window functions compute', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(played, { maxLength: 25 }),
      fc.constantFrom<['best' | 'best3' | 'first_n', number]>(
        ['best', 5],
        ['best3', 5],
        ['first_n', 1],
        ['first_n', 3],
      ),
      async (list, [scoring, n]) => {
        const games = list.map(({ at, ...game }) => ({
          ...game,
          id: randomUUID(),
          played_at: new Date(Date.UTC(2026, 0, 1, 0, at)),
        }));
        const kept = scoring === 'best' ? 1 : scoring === 'best3' ? 3 : n;
        const { rows } = await sql<{ player_id: number; points: number; place: number }>`
          with games as (
            select * from jsonb_to_recordset(${JSON.stringify(games)}::jsonb) as g
              (id text, machine_id integer, player_id integer, score integer, played_at timestamptz)
          ), numbered as (
            select *, row_number() over (partition by player_id order by
              ${scoring === 'first_n' ? sql`played_at, machine_id, id collate "C"` : sql`score desc, played_at, machine_id, id collate "C"`}) as number
            from games
          ), counting as (select * from numbered where number <= ${kept}),
          sums as (
            select player_id, sum(score) as points, max(score) as best,
              (array_agg(played_at order by played_at desc, machine_id desc, id collate "C" desc))[1] as reached,
              (array_agg(machine_id order by played_at desc, machine_id desc, id collate "C" desc))[1] as machine,
              (array_agg(id order by played_at desc, machine_id desc, id collate "C" desc))[1] as id
            from counting group by player_id)
          select player_id, points::integer, row_number() over (
            order by points desc, best desc, reached, machine, id collate "C")::integer as place
          from sums order by place`.execute(t.db);
        expect(
          contestBoard(games, scoring, n).map(({ player_id, points, place }) => ({
            player_id,
            points,
            place,
          })),
        ).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});

test('CONTEST-03, 04: the worked examples of docs/leagues.md are correct', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 20, minute));
  const game = (player_id: number, score: number, minute: number) => ({
    id: randomUUID(),
    machine_id: 1,
    player_id,
    score,
    played_at: at(minute),
  });
  const [p, q, r] = [1, 2, 3];
  const places = (...board: ReturnType<typeof contestBoard>) =>
    board.map(({ player_id, points }) => [player_id, points]);
  const best3 = [
    ...[500, 400, 300].map((score, n) => game(p, score, 8 + n)),
    ...[450, 400, 350].map((score, n) => game(q, score, n - 1)),
    ...[300, 400, 500].map((score, n) => game(r, score, 3 + n)),
  ];
  expect(places(...contestBoard(best3, 'best3', 5))).toEqual([
    [r, 1_200],
    [p, 1_200],
    [q, 1_200],
  ]);
  const first = [
    ...[100, 200, 300, 999].map((score, n) => game(p, score, n)),
    ...[250, 250].map((score, n) => game(q, score, n)),
  ];
  expect(places(...contestBoard(first, 'first_n', 3))).toEqual([
    [p, 600],
    [q, 500],
  ]);
  const best = [game(p, 500, 10), game(q, 500, 5), game(p, 400, 1), game(q, 0, 2)];
  expect(places(...contestBoard(best, 'best', 5))).toEqual([
    [q, 500],
    [p, 500],
  ]);
});

test('FRAME-04: a window is settled when nothing is open, or after the longest wait', () => {
  const ends_at = new Date(1_000 * MINUTE);
  const window = { ends_at, graceMs: 15 * MINUTE, heldUntil: new Date(1_400 * MINUTE) };
  fc.assert(
    fc.property(
      fc.integer({ min: 980, max: 1_450 }),
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 0, max: 2 }),
      (minute, held, loud) => {
        // The same rule, as a list of the states that delay it.
        const states: [string, boolean][] = [
          ['before its end', minute < 1_000],
          ['held games', held > 0 && minute < 1_400],
          ['machines', loud > 0 && minute < 1_015],
        ];
        expect(isSettled(window, { held, loud }, new Date(minute * MINUTE))).toBe(
          !states.some(([, waits]) => waits),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test('FRAME-04: an error of one contest or cup does not stop the others', async () => {
  const settled: number[] = [];
  const settle = async (id: number) => {
    if (id === 1) throw new Error('the first');
    settled.push(id);
    return 1;
  };
  await expect(settleEach([1, 2, 3], settle)).rejects.toThrow('the first');
  expect(settled).toEqual([2, 3]);
  expect(await settleEach([2, 3], settle)).toBe(2);
});
