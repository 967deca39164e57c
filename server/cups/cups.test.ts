import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CupForStaff, CupListed, CupPage } from '#contract/wire/cups.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import type { Tonight } from '#contract/wire/tonight.ts';
import {
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { HOUR, midweekApp } from '#testing/app/midweek.ts';
import { settleContests } from '../contests/final.ts';
import { voidGame } from '../games/corrections.ts';
import { recount } from '../games/rebuild.ts';
import { addDays, weekOf } from '../leagues/calendar.ts';
import { removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { deletePlayer } from '../players/erase.ts';
import { readMetInCups } from './met.ts';
import { settleCups } from './settle.ts';

const { t } = midweekApp();
const MINUTE = 60_000;
/** The first window begins a minute after the cup is made. Each lasts 30 min, and each pause 15. */
const WINDOW = 30;
const ROUND = 45;

type Player = Awaited<ReturnType<typeof makePlayer>>;
let arcades = 0;

/** A venue with a machine, and functions that call the cup routes there. */
async function house() {
  arcades += 1;
  // Otherwise `settleCups` would settle the cups of earlier tests, too.
  await sql`update cups set final_at = created_at where final_at is null`.execute(t.db);
  const venue = `Cup house ${arcades}`;
  const hoop = await makeMachine(t, { venue, name: `Cup hoop ${arcades}` });
  const operator = async <T>(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    who: Parameters<typeof makeStaff>[1] = {},
  ) => {
    const query =
      method === 'GET' && body ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
    const staff = await makeStaff(t, who);
    const answer = await t.call(method, `/api/operator/cups/${path}${query}`, {
      headers: staff.headers,
      ...(method === 'POST' ? { body } : {}),
    });
    return {
      status: answer.status,
      body: answer.body as T & { detail?: string; changes?: string[] },
    };
  };
  const create = (body: object) =>
    operator<CupListed>('POST', '', {
      name: 'Finals night',
      venue,
      from: 'sides',
      minutes: WINDOW,
      starts: new Date(t.clock.now().getTime() + MINUTE).toISOString(),
      ...body,
    });
  const play = (player: Player, score: number, minutesAgo = 0) =>
    makeGames(t, hoop, player, [
      { score, played_at: new Date(t.clock.now().getTime() - minutesAgo * MINUTE - 1_000) },
    ]);
  const page = async (player: Player, id: string) => {
    const as = await makeSession(t, player);
    const answer = await t.call('GET', `/api/cups/${id}/`, { as });
    return { status: answer.status, body: answer.body as CupPage };
  };
  const staffPage = async (cup: string) =>
    (await operator<CupForStaff>('GET', 'page/', { cup })).body;
  /** By each pairing's label: its seeds, winner and sums, and how it was decided. */
  const tree = async (cup: string) =>
    Object.fromEntries(
      (await staffPage(cup)).rounds.flatMap(({ pairings }) =>
        pairings.map(({ label, a, b, winner, how, sums }) => [
          label,
          { seeds: [a.seed, b.seed], winner, how, sums },
        ]),
      ),
    );
  /** The cups of this venue that Tonight lists. */
  const hands = async () => {
    const { headers } = await makeStaff(t, { role: 'manager', venues: [venue] });
    return ((await t.call('GET', '/api/operator/tonight/', { headers })).body as Tonight).cups;
  };
  return { venue, hoop, operator, create, play, page, staffPage, tree, hands };
}

async function players(count: number): Promise<Player[]> {
  const made: Player[] = [];
  for (let at = 0; at < count; at += 1) made.push(await makePlayer(t));
  return made;
}
/** What each of a player's games also counts for, newest first (FRAME-01). */
async function alsoOf(player: Player): Promise<string[][]> {
  const as = await makeSession(t, player);
  const { body } = await t.call('GET', '/api/users/profile/games/', { as });
  return (body as { results: { also: string[] }[] }).results.map(({ also }) => also);
}
const go = (minutes: number) => t.clock.advance(minutes * MINUTE);
const moveTo = (iso: string) => t.clock.advance(Date.parse(iso) - t.clock.now().getTime());
/** Moves the clock past the end and the grace of a round that has just begun. Settles the cups. */
async function endRound() {
  go(WINDOW + 15 - 1);
  return settleCups(t);
}

test('CUP-07: a cup can begin in the current minute, and each player is then on a side', async () => {
  const { create, staffPage } = await house();
  const sides = (await players(2)).map(({ username }) => username ?? '');
  const { status, body } = await create({ starts: 'now', sides });
  expect([status, body.state]).toEqual([201, 'running']);
  await settleCups(t);
  expect((await staffPage(body.id)).rounds[0]?.pairings[0]?.sums).toEqual([0, 0]);
  const past = new Date(t.clock.now().getTime() - MINUTE).toISOString();
  expect((await create({ starts: past, sides })).body).toEqual({
    starts: ['This time is past. Choose a later one, or begin now.'],
  });
});

test('CUP-31: players see the start of their first pairing from two weeks before it', async () => {
  const { create } = await house();
  const all = await players(2);
  const day = 24 * 60 * MINUTE;
  const starts = new Date(t.clock.now().getTime() + 15 * day).toISOString();
  const sides = all.map(({ username }) => username ?? '');
  expect((await create({ starts, sides })).status).toBe(201);
  const strip = async () =>
    (
      await t.call('GET', '/api/users/profile/running/', {
        as: await makeSession(t, all[0] as Player),
      })
    ).body.cup;
  expect(await strip()).toBeNull();
  t.clock.advance(day);
  expect(await strip()).toMatchObject({ pairing: 'Final', starts_at: starts, known: true });
  t.clock.advance(-day);
});

test('CUP-01, CUP-05, CUP-06, CUP-10, CUP-12, CUP-13, CUP-14, CUP-16, CUP-24, CUP-34, P104: a cup of eight is played to its winner', async () => {
  const { create, play, page, tree, staffPage, operator, hands } = await house();
  const all = await players(8);
  const made = await create({ sides: all.map(({ username }) => username), best: 2, of: 3 });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  expect(made.body).toMatchObject({ state: 'planned', sides: 8, third: true, per_player: null });
  const { id } = made.body;
  const [one, two, three, four, five, six, seven, eight] = all as [
    Player,
    Player,
    Player,
    Player,
    Player,
    Player,
    Player,
    Player,
  ];
  // A game before the start does not count.
  await play(eight, 999);
  go(2);
  // QF 1: 1 beats 8 by the sum of the best two of the first three games.
  await play(one, 300);
  await play(one, 200);
  await play(eight, 400);
  await play(eight, 90);
  await play(eight, 5);
  await play(eight, 900);
  // QF 2: 4 and 5 are level, so the better best game wins. QF 3: 2 and 7 are level in all, so the
  // better seed wins.
  await play(four, 200);
  await play(four, 200);
  await play(five, 250);
  await play(five, 150);
  await play(two, 300);
  await play(seven, 300);
  // QF 4: 3 does not play.
  await play(six, 10);
  go(1);
  const running = (await page(five, id)).body;
  expect(running.mine).toMatchObject({
    seed: 5,
    pairing: '0-1',
    to_gain: 150,
    games_left: 1,
    own_games: 2,
    own_max: 3,
    can_leave: true,
  });
  expect(running.rounds.map(({ name }) => name)).toEqual([
    'Quarter-finals',
    'Semi-finals',
    'Final',
  ]);
  expect(running.rounds[1]?.pairings[0]?.a.from).toBe('Winner of QF 1');
  expect(running.rounds[2]?.pairings[1]).toMatchObject({
    label: 'Third place',
    a: { from: 'Loser of SF 1' },
  });
  expect(await settleCups(t)).toBe(0);
  go(WINDOW - 2);
  expect(await settleCups(t)).toBe(0);
  expect((await staffPage(id)).waiting).toMatchObject([{ pairing: 'QF 1' }, {}, {}, {}]);
  expect(await hands()).toEqual([]);
  go(14);
  expect(await settleCups(t)).toBe(0);
  go(1);
  expect(await settleCups(t)).toBe(4);
  expect(await tree(id)).toMatchObject({
    'QF 1': { seeds: [1, 8], winner: 1, how: 'score', sums: [500, 490] },
    'QF 2': { seeds: [4, 5], winner: 5, how: 'best_game', sums: [400, 400] },
    'QF 3': { seeds: [2, 7], winner: 2, how: 'seed', sums: [300, 300] },
    'QF 4': { seeds: [3, 6], winner: 6, how: 'no_show', sums: [0, 10] },
    'SF 1': { seeds: [1, 5], winner: null },
    'SF 2': { seeds: [2, 6], winner: null },
  });
  // SF 1: the side of seed 5 leaves. Seed 1 advances at once, and seed 5 does not play for third
  // place.
  const as = await makeSession(t, five);
  expect((await t.call('POST', `/api/cups/${id}/leave/`, { as })).status).toBe(204);
  expect((await t.call('POST', `/api/cups/${id}/leave/`, { as })).status).toBe(400);
  expect((await tree(id))['SF 1']).toEqual({
    seeds: [1, 5],
    winner: 1,
    how: 'walkover',
    sums: null,
  });
  expect(await alsoOf(five)).toEqual([['cup'], ['cup']]);
  // FRIEND-09: who met whom. A walkover does not count as a meeting.
  const week = weekOf(t.clock.now(), 'UTC');
  const quarter = { week, cup: 'Finals night', pairing: 'Quarter-final' };
  expect(await readMetInCups(t.db, eight.id, one.id)).toEqual([
    { ...quarter, own: 490, other: 500, result: 'lost' },
  ]);
  expect(await readMetInCups(t.db, six.id, three.id)).toEqual([
    { ...quarter, own: 10, other: 0, result: 'won' },
  ]);
  expect(await readMetInCups(t.db, one.id, five.id)).toEqual([]);
  expect(await readMetInCups(t.db, one.id, two.id)).toEqual([]);
  const { n } = await t.db
    .insertInto('friendships')
    .values({ player_id: eight.id, friend_id: one.id, since: t.clock.now() })
    .returning('n')
    .executeTakeFirstOrThrow();
  const compared = await t.call('GET', `/api/friends/${n}/`, { as: await makeSession(t, eight) });
  expect(compared.body.met_in_cups).toEqual([{ ...quarter, own: 490, other: 500, result: 'lost' }]);
  go(2);
  // SF 2: nobody plays, and a ruling decides.
  const ruled = await operator('POST', 'decide/', {
    cup: id,
    pairing: 'SF 2',
    winner: '6',
    reason: 'The other side asked to go home',
  });
  expect(ruled.body.changes).toEqual([`SF 2 goes to ${six.username}.`]);
  expect(await tree(id)).toMatchObject({
    'SF 2': { winner: 6, how: 'ruling' },
    Final: { seeds: [1, 6], winner: null },
    'Third place': { seeds: [5, 2], winner: 2, how: 'walkover' },
  });
  expect(three.username).not.toBeNull();
  go(ROUND);
  await play(six, 500);
  await play(one, 400);
  expect(await endRound()).toBe(1);
  expect((await page(six, id)).body).toMatchObject({
    state: 'final',
    champion: { seed: 6, username: six.username },
    mine: { to_gain: null, can_leave: false },
  });
  expect((await staffPage(id)).cup.winner).toBe(six.username);
  for (const change of [sql`update cup_results set winner_seed = 1`, sql`delete from cup_results`])
    await expect(change.execute(t.db)).rejects.toThrow('append-only');
  t.clock.advance(31 * 24 * HOUR);
  const late = { cup: id, pairing: 'QF 1', winner: '8', reason: 'Late' };
  expect((await operator('POST', 'decide/', late)).body.detail).toBe(
    'A cup can be corrected for 30 days.',
  );
});

test('CUP-13: a pairing without a game sends nobody on, and a final can have no winner', async () => {
  const { create, play, tree, staffPage } = await house();
  const all = await players(4);
  const { id } = (await create({ sides: all.map(({ username }) => username) })).body;
  go(2);
  await play(all[0] as Player, 100);
  expect(await endRound()).toBe(2);
  expect(await tree(id)).toMatchObject({
    'SF 2': { winner: null, how: 'no_show' },
    // The opposite slot is empty, so seed 1 wins without a game.
    Final: { seeds: [1, null], winner: 1, how: 'walkover' },
    'Third place': { seeds: [4, null], winner: 4 },
  });
  expect((await staffPage(id)).cup).toMatchObject({
    state: 'final',
    winner: all[0]?.username,
  });
  const empty = (
    await create({ name: 'Empty', sides: all.slice(0, 2).map(({ username }) => username) })
  ).body;
  go(2);
  expect(await endRound()).toBe(1);
  expect((await staffPage(empty.id)).cup).toMatchObject({ state: 'final', winner: null });
});

test('CUP-20, CUP-21, CUP-22, CUP-23: a voided game alone changes no result, and a correction reopens the later pairings', async () => {
  const { create, play, tree, staffPage, operator, hands } = await house();
  const all = await players(4);
  const [one, two, three, four] = all as [Player, Player, Player, Player];
  const { id } = (await create({ sides: all.map(({ username }) => username), best: 2, of: 2 }))
    .body;
  go(2);
  const [kept] = await play(one, 500);
  const [small] = await play(one, 50);
  await play(four, 400);
  await play(two, 300);
  await play(three, 200);
  await endRound();
  go(2);
  await play(one, 100);
  await play(two, 150);
  await play(four, 111);
  await endRound();
  const before = await tree(id);
  expect(before).toMatchObject({ Final: { seeds: [1, 2], winner: 2 }, 'SF 1': { winner: 1 } });

  const setState = async (game: string | undefined, state: string) => {
    await sql`update games set state = ${state} where id = ${game}`.execute(t.db);
    await t.db.transaction().execute((trx) => recount(trx, [one.id], t.clock.now()));
  };
  // The winner stays the same: only the next version is stored.
  await setState(small?.id, 'void');
  expect((await staffPage(id)).offers).toEqual([
    {
      pairing: 'SF 1',
      text: 'A new count of SF 1: 500 to 400. The winner stays.',
      reopens: [],
      windows: [],
    },
  ]);
  expect(await hands()).toMatchObject([{ name: 'Finals night', why: 'changed' }]);
  expect((await operator('POST', 'leave/', { cup: id, pairing: 'SF 1' })).status).toBe(200);
  expect(await hands()).toEqual([]);
  expect((await staffPage(id)).offers).toEqual([]);
  await operator('POST', 'correct/', { cup: id, pairing: 'SF 1', reason: 'Not hers' });
  expect(await tree(id)).toEqual({
    ...before,
    'SF 1': { ...before['SF 1'], sums: [500, 400] },
  });
  // The winner changes: the final and third place are reopened.
  await setState(kept?.id, 'void');
  const [offer] = (await staffPage(id)).offers;
  expect(offer).toEqual({
    pairing: 'SF 1',
    text: `Without this game SF 1 goes to ${four.username}, 0 to 400.`,
    reopens: ['Final', 'Third place'],
    windows: ['Final', 'Third place'],
  });
  const correction = { cup: id, pairing: 'SF 1', reason: 'Another player threw' };
  const refused = await operator<{ windows: string[] }>('POST', 'correct/', correction);
  expect(refused.body.windows).toEqual(['Give a new end to Final, Third place.']);
  const ends = new Date(t.clock.now().getTime() + HOUR).toISOString();
  const corrected = await operator('POST', 'correct/', {
    ...correction,
    windows: [
      { pairing: 'Final', ends },
      { pairing: 'Third place', ends },
    ],
  });
  expect(corrected.body.changes).toEqual([
    `SF 1 goes to ${four.username}.`,
    'Final is open again.',
    'Third place is open again.',
  ]);
  // The new side's games count from the start of the window. The former side's no longer count.
  expect(await tree(id)).toMatchObject({
    'SF 1': { winner: 4, how: 'no_show' },
    'SF 2': { winner: 2 },
    Final: { seeds: [4, 2], winner: null, sums: [111, 150] },
    'Third place': { seeds: [1, 3], winner: null, sums: [100, 0] },
  });
  await play(four, 222);
  go(60 + 15);
  expect(await settleCups(t)).toBe(2);
  expect((await staffPage(id)).cup.winner).toBe(four.username);
  const versions = await sql<{ versions: number }>`
    select max(version)::integer as versions from cup_results
    where cup_id = ${id} and round = 0 and slot = 0`.execute(t.db);
  expect(versions.rows[0]?.versions).toBe(3);
});

test('CUP-02, CUP-04, CUP-11, CUP-30: a team’s side keeps the players of the cup’s start, and strangers cannot see the cup', async () => {
  const { create, play, page, tree, operator, staffPage, venue } = await house();
  const league = await makeLeague(t, { venue });
  const [a, b, c, later, other] = (await players(5)) as [Player, Player, Player, Player, Player];
  const tigers = await makeTeam(t, league, [a, b]);
  const bears = await makeTeam(t, league, [c]);
  const { body: made } = await create({
    league: league.name,
    sides: [bears.name, tigers.name],
    per_player: 1,
    best: 2,
    of: 2,
  });
  expect(made).toMatchObject({ kind: 'teams', per_player: 1, league: league.name });
  const swapped = await operator('POST', 'seeds/', {
    cup: made.id,
    sides: [tigers.name, bears.name],
  });
  expect(swapped.status).toBe(200);
  go(2);
  // A player who joins later is not on the side, even if `settleCups` has not run since the start.
  await joinTeam(t, bears, [later], t.clock.now());
  await settleCups(t);
  await play(later, 999);
  await play(a, 300);
  await play(a, 999);
  // A player who leaves the team stays on the side.
  await removeFromTeam(t, tigers, b.email);
  await play(b, 100);
  await play(c, 350);
  go(1);
  expect((await tree(made.id)).Final).toMatchObject({ sums: [400, 350], seeds: [1, 2] });
  expect((await page(later, made.id)).body.mine).toBeNull();
  expect((await page(other, made.id)).status).toBe(404);
  await play(other, 5);
  expect((await page(other, made.id)).status).toBe(200);
  expect((await operator('POST', 'draw/', { cup: made.id })).status).toBe(400);
  const add = { cup: made.id, side: bears.name, add: [later.username] };
  // No window is left to begin.
  expect((await operator('POST', 'sides/', add)).body.detail).toBe(
    'The last round has begun: its sides stay.',
  );
  const strip = await t.call('GET', '/api/users/profile/running/', {
    as: await makeSession(t, a),
  });
  expect(strip.body).toMatchObject({
    cup: { id: made.id, pairing: 'Final', ahead: 50, known: true, games_left: 0 },
  });
  expect((await alsoOf(a))[0]).toEqual(['cup']);
  await endRound();
  expect((await staffPage(made.id)).cup.winner).toBe(tigers.name);
});

test('CUP-04: a team that is renamed has its new name in the cup until round 1 begins', async () => {
  const { create, operator, staffPage, venue } = await house();
  const league = await makeLeague(t, { venue });
  const teams = [await makeTeam(t, league, []), await makeTeam(t, league, [])];
  const sides = teams.map(({ name }) => name);
  const { id } = (await create({ league: league.name, sides })).body;
  const names = async () => (await staffPage(id)).side_list.map(({ name }) => name);
  const rename = (name: string) =>
    sql`update teams set name = ${name} where id = ${teams[0]?.id}`.execute(t.db);
  await rename('Renamed Hawks');
  expect(await names()).toEqual(['Renamed Hawks', sides[1]]);
  const swapped = (await names()).reverse();
  expect((await operator('POST', 'seeds/', { cup: id, sides: swapped })).status).toBe(200);
  await rename('Renamed Eagles');
  go(1);
  await settleCups(t);
  await rename('Renamed Owls');
  expect(await names()).toEqual([sides[1], 'Renamed Eagles']);
});

test('CUP-11: players who are added to a side between rounds play in the next window', async () => {
  const { create, play, operator, tree, venue } = await house();
  const league = await makeLeague(t, { venue });
  const all = await players(4);
  const teams = [];
  for (const player of all) teams.push(await makeTeam(t, league, [player]));
  const [added] = (await players(1)) as [Player];
  const sides = teams.map(({ name }) => name);
  const { id } = (await create({ league: league.name, sides, best: 1, of: 1, third: false })).body;
  const heard: string[] = [];
  const listener = await t.pool.connect();
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen backboard_live');
  go(2);
  await settleCups(t);
  await expect.poll(() => heard.join(' ')).toMatch(/contests/);
  await listener.query('unlisten *');
  listener.release(true);
  await play(added, 1);
  const add = { cup: id, side: '1', add: [added.username] };
  expect((await operator('POST', 'sides/', add)).status).toBe(200);
  expect((await operator('POST', 'sides/', add)).status).toBe(400);
  for (const player of all.slice(0, 2)) await play(player, 50);
  await play(added, 999);
  expect(await tree(id)).toMatchObject({ 'SF 1': { sums: [50, 0] } });
  await endRound();
  go(1);
  await play(added, 999);
  expect(await tree(id)).toMatchObject({ Final: { sums: [999, 0] } });
});

test('P30e, CUP-10, CUP-20: the games of a deleted account still count for its team’s side', async () => {
  const { create, play, tree, staffPage, venue } = await house();
  const league = await makeLeague(t, { venue });
  const [gone, other] = (await players(2)) as [Player, Player];
  const sides = [
    (await makeTeam(t, league, [gone])).name,
    (await makeTeam(t, league, [other])).name,
  ];
  const { id } = (await create({ league: league.name, sides })).body;
  go(2);
  await settleCups(t);
  const [voided] = await play(gone, 150);
  await play(gone, 150);
  await play(other, 200);
  await t.db.transaction().execute((trx) => deletePlayer(trx, gone.id, t.clock.now()));
  expect((await tree(id)).Final).toMatchObject({ sums: [300, 200] });
  await endRound();
  expect((await tree(id)).Final).toMatchObject({ winner: 1, how: 'score' });
  expect((await staffPage(id)).offers).toEqual([]);
  await voidGame(t, voided?.seq ?? 0);
  expect((await staffPage(id)).offers).toMatchObject([
    { pairing: 'Final', text: `Without this game Final goes to ${sides[1]}, 150 to 200.` },
  ]);
});

test('CUP-15: games in a window count even if its sides become known later', async () => {
  const { create, play, page, tree } = await house();
  const all = await players(4);
  const [one, two, three, four] = all as [Player, Player, Player, Player];
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 2, of: 4, third: false })).body;
  go(2);
  await play(one, 300);
  await play(four, 200);
  await play(two, 300);
  await play(three, 200);
  // The final has begun, and no semi-final is decided.
  go(ROUND);
  await play(one, 50);
  await play(four, 70);
  const [, final] = (await page(one, id)).body.rounds;
  expect(final?.pairings[0]).toMatchObject({
    a: { from: 'Winner of SF 1' },
    b: { from: 'Winner of SF 2' },
    sums: null,
  });
  expect(await settleCups(t)).toBe(2);
  expect((await tree(id)).Final).toMatchObject({ seeds: [1, 2], winner: null, sums: [50, 0] });
});

test('CUP-15, CUP-31: the profile counts a player’s games before the opponent is known', async () => {
  const { create, play } = await house();
  const all = await players(3);
  const sides = all.map(({ username }) => username);
  await create({ sides, best: 1, of: 2, third: false });
  go(2 + ROUND);
  const [one] = all as [Player];
  await play(one, 300);
  const as = await makeSession(t, one);
  const { cup } = (await t.call('GET', '/api/users/profile/running/', { as })).body;
  expect(cup).toMatchObject({ pairing: 'Final', known: false, games_left: 1, ahead: 0 });
});

test('CUP-16, CUP-31, CUP-34: a side that left before its opponent is known plays for nothing', async () => {
  const { create, play, page } = await house();
  const all = await players(3);
  const [one] = all as [Player];
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 1, of: 2, third: false })).body;
  go(2);
  const as = await makeSession(t, one);
  const strip = async () => (await t.call('GET', '/api/users/profile/running/', { as })).body.cup;
  expect(await strip()).toMatchObject({ pairing: 'Final', known: false, games_left: 2 });
  expect((await page(one, id)).body.mine).toMatchObject({ pairing: '1-0', withdrew: false });
  expect((await t.call('POST', `/api/cups/${id}/leave/`, { as })).status).toBe(204);
  expect(await strip()).toBeNull();
  expect((await page(one, id)).body.mine).toMatchObject({ pairing: '1-0', withdrew: true });
  // The final runs, and the opponent is still unknown.
  go(ROUND);
  await play(one, 300);
  expect(await alsoOf(one)).toEqual([[]]);
});

test('CUP-22: after a correction, the new winner plays in the next round, with games from the start of its window', async () => {
  const { create, play, tree, staffPage, operator } = await house();
  const all = await players(4);
  const [one, two, three, four] = all as [Player, Player, Player, Player];
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 1, of: 4, third: false })).body;
  go(2);
  const [wrong] = await play(one, 300);
  await play(four, 200);
  await play(two, 300);
  await play(three, 200);
  await endRound();
  go(2);
  await play(one, 90);
  await play(four, 70);
  await play(two, 80);
  expect((await tree(id)).Final).toMatchObject({ seeds: [1, 2], winner: null, sums: [90, 80] });
  await voidGame(t, wrong?.seq ?? 0);
  expect((await staffPage(id)).offers).toMatchObject([
    { pairing: 'SF 1', reopens: [], windows: [] },
  ]);
  const reason = 'Another player threw';
  expect((await operator('POST', 'correct/', { cup: id, pairing: 'SF 1', reason })).status).toBe(
    200,
  );
  expect((await tree(id)).Final).toMatchObject({ seeds: [4, 2], winner: null, sums: [70, 80] });
});

test('FRAME-07: staff of another venue see no cup of this venue, and floor staff see only the list', async () => {
  const { create, operator, venue } = await house();
  const far = await house();
  const all = await players(2);
  const { id } = (await create({ sides: all.map(({ username }) => username) })).body;
  const there = { role: 'manager' as const, venues: [far.venue] };
  expect((await operator('GET', 'page/', { cup: id }, there)).status).toBe(403);
  expect((await operator('POST', 'cancel/', { cup: id }, there)).status).toBe(403);
  const floor = { role: 'floor' as const, venues: [venue] };
  expect((await operator('GET', 'page/', { cup: id }, floor)).status).toBe(403);
  const listed = await operator<{ results: CupListed[] }>('GET', '', undefined, floor);
  expect(listed.body.results.map((cup) => cup.id)).toEqual([id]);
  expect((await operator('POST', 'cancel/', { cup: id })).status).toBe(200);
});

test('CUP-17: a cup can be cancelled until games decide a pairing, and a cancelled cup leaves no trace', async () => {
  const { create, operator, page, play, staffPage, tree, hands, venue } = await house();
  const all = await players(6);
  const [one, , , four, five] = all as [Player, Player, Player, Player, Player];
  const { id } = (await create({ sides: all.map(({ username }) => username) })).body;
  const { token } = await makeScreen(t, venue);
  const wall = async () =>
    ((await t.call('GET', '/api/screen/', { as: { key: token } })).body as ScreenAnswer).cups;
  const running = async () => {
    const as = await makeSession(t, one);
    return (await t.call('GET', '/api/users/profile/running/', { as })).body.cup;
  };
  const gone = five.username as string;
  expect((await operator('POST', 'withdraw/', { cup: id, side: gone })).status).toBe(200);
  go(2);
  await settleCups(t);
  await play(four, 200);
  expect(await tree(id)).toMatchObject({ 'QF 1': { how: 'bye' }, 'QF 2': { how: 'walkover' } });
  expect((await staffPage(id)).cancellable).toBe(true);
  expect([(await page(one, id)).status, (await wall()).length]).toEqual([200, 1]);
  expect(await running()).not.toBeNull();

  const heard: string[] = [];
  const listener = await t.pool.connect();
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query('listen backboard_live');
  const cancelled = await operator<CupListed>('POST', 'cancel/', { cup: id });
  expect(cancelled).toMatchObject({ status: 200, body: { id, name: 'Finals night' } });
  await expect.poll(() => heard.join(' ')).toMatch(/contests/);
  await listener.query('unlisten *');
  listener.release(true);
  expect(heard.join(' ')).toMatch(new RegExp(`cup \\S*\\b${one.id}\\b`));
  expect(heard.join(' ')).toMatch(/venue \d/);

  expect((await page(one, id)).status).toBe(404);
  expect((await operator('GET', 'page/', { cup: id })).status).toBe(404);
  expect((await operator('POST', 'cancel/', { cup: id })).status).toBe(404);
  expect([await wall(), await running(), await hands()]).toEqual([[], null, []]);
  expect(await settleCups(t)).toBe(0);
  const { rows } = await sql<{ what: string; before: object; games: number }>`
    select what, before, (select count(*)::int from games where player_id = ${four.id}) as games
    from audit order by id desc limit 1`.execute(t.db);
  expect(rows[0]).toMatchObject({
    what: 'Cancelled the cup Finals night',
    before: { sides: 6 },
    games: 1,
  });
});

test('CUP-17: a cup with a result or a ruling cannot be cancelled', async () => {
  const { create, operator, play, staffPage } = await house();
  const stays = async (cup: string) => {
    expect((await staffPage(cup)).cancellable).toBe(false);
    expect(await operator('POST', 'cancel/', { cup })).toMatchObject({
      status: 400,
      body: {
        detail:
          'A pairing of “Finals night” is decided, so the cup stays. Withdraw sides or decide pairings instead.',
      },
    });
    expect((await operator('GET', 'page/', { cup })).status).toBe(200);
  };
  const all = await players(4);
  const sides = all.map(({ username }) => username as string);
  const ruled = (await create({ sides: sides.slice(0, 2) })).body.id;
  go(2);
  await settleCups(t);
  const ruling = { cup: ruled, pairing: 'Final', winner: '1', reason: 'A broken hoop' };
  expect((await operator('POST', 'decide/', ruling)).status).toBe(200);
  await stays(ruled);
  const played = (await create({ sides })).body.id;
  go(2);
  await settleCups(t);
  await play(all[0] as Player, 100);
  expect(await endRound()).toBeGreaterThan(0);
  await stays(played);
});

test('CUP-04, CUP-16: a withdrawn side stays withdrawn when the seeds change, and a ruling is refused before round 1', async () => {
  const { create, tree, operator } = await house();
  const names = (await players(4)).map(({ username }) => username as string);
  const { id } = (await create({ sides: names })).body;
  const ruling = { cup: id, pairing: 'SF 1', winner: '1', reason: 'Early' };
  expect((await operator('POST', 'decide/', ruling)).status).toBe(400);
  const gone = names[3] as string;
  expect((await operator('POST', 'withdraw/', { cup: id, side: gone })).status).toBe(200);
  const sides = [gone, ...names.slice(0, 3)];
  expect((await operator('POST', 'seeds/', { cup: id, sides })).status).toBe(200);
  expect((await tree(id))['SF 1']).toMatchObject({ seeds: [1, 4], winner: 4, how: 'walkover' });
  // Once the window is over, undoing the withdrawal would leave no time to play.
  go(2 + WINDOW);
  const back = await operator('POST', 'withdraw/', { cup: id, side: gone, undo: true });
  expect(back.body.detail).toBe('The window of SF 1 is over. Decide the pairing instead.');
});

test('P63: a manager names only players whom the venue knows', async () => {
  const { create, operator, play, venue } = await house();
  const [known, stranger] = (await players(2)) as [Player, Player];
  await play(known, 100);
  const here = { role: 'manager' as const, venues: [venue] };
  const body = {
    name: 'Far',
    venue,
    from: 'sides',
    sides: [known.username, String(stranger.id)],
  };
  const refused = await operator('POST', 'preview/', body, here);
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.body)).not.toContain(stranger.username);
  await play(stranger, 100);
  expect((await operator('POST', 'preview/', body, here)).status).toBe(200);
  expect((await create({ sides: [known.username, stranger.username] })).status).toBe(201);
});

test('CUP-14, FRAME-04: a pairing no longer waits for a machine that was quiet once after the end', async () => {
  const { venue, hoop, create, staffPage } = await house();
  const other = await makeMachine(t, { venue });
  const sides = (await players(2)).map(({ username }) => username);
  const { id } = (await create({ sides })).body;
  const report = ({ key }: { key: string }, playing: boolean) =>
    t.call('PUT', '/api/machine/status/', { as: { key }, body: { queued: 0, playing } });
  const waits = async () =>
    (await staffPage(id)).waiting.flatMap(({ machines }) => machines.map(({ why }) => why));
  go(1 + WINDOW);
  await settleCups(t);
  expect(await waits()).toEqual(['silent', 'silent']);
  await report(hoop, false);
  expect([await settleCups(t), await waits()]).toEqual([0, ['silent']]);
  await report(hoop, true);
  await report(other, false);
  expect(await settleCups(t)).toBe(1);
});

test('CUP-07, CUP-23: when a second correction restores the sides, the old result of their pairing counts again', async () => {
  const { create, play, tree, staffPage, operator } = await house();
  const all = await players(4);
  const [one, two, three, four] = all as [Player, Player, Player, Player];
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 1, of: 2, third: false })).body;
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  go(2);
  // The final starts right after the pause that follows the semi-finals.
  const longer = { cup: id, windows: [{ pairing: 'SF 1', ends: at(ROUND + 10) }] };
  const refused = await operator<{ windows: string[] }>('POST', 'windows/', longer);
  expect(refused.body.windows).toEqual(['Final begins before SF 1 ends. Move Final first.']);
  for (const [player, score] of [
    [one, 300],
    [four, 100],
    [two, 200],
    [three, 100],
  ] as const)
    await play(player, score);
  await endRound();
  go(1);
  await play(one, 50);
  await play(two, 60);
  await endRound();
  expect(await tree(id)).toMatchObject({ Final: { seeds: [1, 2], winner: 2 } });

  expect((await staffPage(id)).reversals).toEqual([
    { pairing: 'SF 1', reopens: ['Final'], windows: ['Final'] },
    { pairing: 'SF 2', reopens: ['Final'], windows: ['Final'] },
  ]);
  const decide = (winner: string, windows: object[]) =>
    operator('POST', 'decide/', { cup: id, pairing: 'SF 1', winner, reason: 'Looked', windows });
  expect((await decide('4', [])).status).toBe(400);
  expect((await decide('4', [{ pairing: 'Final', ends: at(40) }])).status).toBe(200);
  expect(await tree(id)).toMatchObject({ Final: { seeds: [4, 2], winner: null } });
  // More games in the new window, then the first winner again: the old result counts unchanged.
  await play(two, 999);
  expect((await decide('1', [])).status).toBe(200);
  expect(await tree(id)).toMatchObject({ Final: { seeds: [1, 2], winner: 2, sums: [50, 60] } });
  expect((await staffPage(id)).offers).toEqual([]);
});

test('CUP-23: when a reopened pairing gets a new end, the next round begins at that end', async () => {
  const { create, play, operator, staffPage } = await house();
  const all = await players(8);
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 1, of: 1, third: false })).body;
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  go(2);
  for (const [seed, player] of all.entries()) await play(player, 900 - seed);
  await endRound();
  go(1);
  for (const player of all.slice(0, 4)) await play(player, 100);
  await endRound();
  // The final is running.
  go(5);
  const reversal = (await staffPage(id)).reversals.find(({ pairing }) => pairing === 'QF 1');
  expect(reversal).toMatchObject({ reopens: ['SF 1'], windows: ['SF 1', 'Final'] });
  const decided = await operator('POST', 'decide/', {
    ...{ cup: id, pairing: 'QF 1', winner: '8', reason: 'Looked' },
    windows: [
      { pairing: 'Final', ends: at(120) },
      { pairing: 'SF 1', ends: at(60) },
    ],
  });
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  const [, semis, final] = (await staffPage(id)).rounds;
  expect(final?.pairings[0]?.starts_at).toBe(semis?.pairings[0]?.ends_at);
});

test('CUP-23, CUP-24: a cup of weeks can be corrected until 30 days after its end', async () => {
  const { create, play, operator, staffPage } = await house();
  const all = await players(4);
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, windows: 'weeks', best: 1, of: 1, third: false })).body;
  const DAY = 24 * 60;
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  const { cup } = await staffPage(id);
  moveTo(cup.starts_at);
  go(1);
  for (const [seed, player] of all.entries()) await play(player, 900 - seed);
  go(8 * DAY);
  await settleCups(t);
  for (const player of all.slice(0, 2)) await play(player, 100);
  go(7 * DAY);
  await settleCups(t);
  expect((await staffPage(id)).cup.state).toBe('final');
  go(29 * DAY);
  const decide = (ends: string) =>
    operator('POST', 'decide/', {
      ...{ cup: id, pairing: 'SF 1', winner: '4', reason: 'Looked' },
      windows: [{ pairing: 'Final', ends }],
    });
  expect((await decide(at(32 * DAY))).status).toBe(400);
  const decided = await decide(at(7 * DAY));
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  // Its end still moves, though it began long ago.
  const windows = [{ pairing: 'Final', ends: at(6 * DAY) }];
  expect((await operator('POST', 'windows/', { cup: id, windows })).status).toBe(200);
});

test('CUP-07, CUP-23: a reopened pairing gets a new end if the next one has begun', async () => {
  const { create, play, operator, staffPage } = await house();
  const all = await players(8);
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, best: 1, of: 1, third: false })).body;
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  go(2);
  for (const [seed, player] of all.entries()) await play(player, 900 - seed);
  await endRound();
  // The semi-finals run, and two sides leave.
  go(2);
  for (const side of ['1', '2'])
    expect((await operator('POST', 'withdraw/', { cup: id, side })).status).toBe(200);
  const early = { cup: id, windows: [{ pairing: 'Final', starts: at(5) }] };
  expect((await operator('POST', 'windows/', early)).status).toBe(200);
  go(6);
  const { reversals } = await staffPage(id);
  expect(reversals.find(({ pairing }) => pairing === 'QF 1')).toMatchObject({
    reopens: ['SF 1'],
    windows: ['SF 1', 'Final'],
  });
  const ruling = { cup: id, pairing: 'QF 1', winner: '8', reason: 'Looked' };
  expect((await operator('POST', 'decide/', ruling)).status).toBe(400);
  const windows = [
    { pairing: 'SF 1', ends: at(15) },
    { pairing: 'Final', ends: at(45) },
  ];
  const decided = await operator('POST', 'decide/', { ...ruling, windows });
  expect(decided.status, JSON.stringify(decided.body)).toBe(200);
  const [, semis, final] = (await staffPage(id)).rounds;
  expect(final?.pairings[0]?.starts_at).toBe(semis?.pairings[0]?.ends_at);
});

test('CUP-02, CUP-04, CUP-07, CUP-14: in a cup of weeks at all venues, the seeds follow the season’s table each minute', async () => {
  const { operator, page, staffPage, venue, hoop } = await house();
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { venue, starts: week });
  const [a, b] = (await players(2)) as [Player, Player];
  const [tigers, bears] = [await makeTeam(t, league, [a]), await makeTeam(t, league, [b])];
  await generateSchedule(t, league, { weeks: 1 });
  const playedAt = t.clock.now();
  const late = (player: Player, score: number) =>
    makeGames(t, hoop, player, [{ score, played_at: new Date(playedAt.getTime() - MINUTE) }]);
  await late(a, 100);
  await late(b, 90);
  const staff = await makeStaff(t);
  await t.call('POST', '/api/operator/seasons/end/', {
    headers: staff.headers,
    body: { league: league.name, after: 'running' },
  });
  // The season is now in its grace.
  moveTo(`${addDays(week, 7)}T12:00:00Z`);
  const body = {
    ...{ name: 'Finals weeks', from: 'season', season: `${league.name}/Season 1` },
    windows: 'weeks',
    champion: true,
  };
  const twice = await Promise.all([
    operator<CupListed>('POST', '', body),
    operator<CupListed>('POST', '', body),
  ]);
  expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
  const { id } = twice.find(({ status }) => status === 201)?.body ?? { id: '' };
  const names = async () => (await staffPage(id)).side_list.map(({ name }) => name);
  const { cup } = await staffPage(id);
  expect(cup).toMatchObject({ venue: null, windows: 'weeks', follows: true });
  expect([cup.starts_at, cup.ends_at]).toEqual([
    `${addDays(week, 14)}T00:00:00.000Z`,
    `${addDays(week, 21)}T00:00:00.000Z`,
  ]);
  const days = { from: addDays(week, 14), to: addDays(week, 20) };
  const here = await operator<{ results: CupListed[] }>('GET', '', { venue });
  expect(here.body.results.map((one) => one.id)).toContain(id);
  expect((await page(a, id)).body.rounds).toMatchObject([{ pairings: [{ days }] }]);
  await settleCups(t);
  expect(await names()).toEqual([tigers.name, bears.name]);
  await late(b, 90);
  await settleCups(t);
  expect(await names()).toEqual([tigers.name, bears.name]);
  go(1);
  await settleCups(t);
  expect(await names()).toEqual([bears.name, tigers.name]);

  // At all venues, a game anywhere counts. A week waits 24 hours for games, longer for held ones.
  const elsewhere = await makeMachine(t);
  moveTo(`${addDays(week, 15)}T12:00:00Z`);
  await settleCups(t);
  const now = t.clock.now();
  const play = (player: Player, score: number) =>
    makeGames(t, elsewhere, player, [{ score, played_at: new Date(now.getTime() - MINUTE) }]);
  await play(a, 200);
  await play(b, 150);
  // This score is above the maximum, so the game is held.
  const [doubted] = await play(b, 99_999);
  moveTo(`${addDays(week, 22)}T01:00:00Z`);
  expect(await settleCups(t)).toBe(0);
  expect((await staffPage(id)).waiting).toMatchObject([{ pairing: 'Final', held: 1 }]);
  expect((await staffPage(id)).waiting[0]?.until).toBe(`${addDays(week, 28)}T00:00:00.000Z`);
  await sql`update games set state = 'void', held_reason = null where id = ${doubted?.id}`.execute(
    t.db,
  );
  expect((await staffPage(id)).waiting[0]?.until).toBe(`${addDays(week, 22)}T00:00:00.000Z`);
  expect(await settleCups(t)).toBe(1);
  expect((await staffPage(id)).cup.winner).toBe(tigers.name);
});

test('CUP-02: a cup from a final table decides the title only if staff say so', async () => {
  const { operator, venue } = await house();
  const league = await makeLeague(t, { venue, starts: addDays(weekOf(t.clock.now(), 'UTC'), -7) });
  for (const player of await players(2)) await makeTeam(t, league, [player]);
  await generateSchedule(t, league, { weeks: 1 });
  const staff = await makeStaff(t);
  const season = { season: `${league.name}/Season 1` };
  const end = await t.call('POST', '/api/operator/seasons/end/', {
    headers: staff.headers,
    body: { league: league.name, now: true },
  });
  expect(end.status, JSON.stringify(end.body)).toBe(200);
  const decides = async () => {
    const page = await t.call('GET', `/api/operator/seasons/page/?season=${season.season}`, {
      headers: staff.headers,
    });
    return (page.body as SeasonForStaff).champions.length === 0;
  };
  const body = { name: 'Title cup', from: 'season', venue, ...season };
  const fun = await operator<CupListed>('POST', '', { ...body, name: 'Fun cup' });
  expect(fun).toMatchObject({ status: 201, body: { season: null, season_id: null } });
  expect(await decides()).toBe(false);
  const title = await operator<CupListed>('POST', '', { ...body, champion: true });
  expect(title).toMatchObject({ status: 201, body: { season: 'Season 1' } });
  expect(await decides()).toBe(true);
  expect((await operator('POST', '', { ...body, champion: true })).status).toBe(409);
  await sql`update cup_pairings set starts_at = ${t.clock.now()} where cup_id = ${title.body.id}`.execute(
    t.db,
  );
  await settleCups(t);
  expect((await operator('POST', 'cancel/', { cup: title.body.id })).status).toBe(200);
  expect(await decides()).toBe(false);
  const others = { name: 'Week cup', from: 'week', venue, champion: true };
  expect(await operator('POST', '', others)).toMatchObject({
    status: 400,
    body: { champion: ['Only a cup from the table of a season can decide its title.'] },
  });
});

test('CUP-04, CUP-16: the places of a final contest seed a cup, and a withdrawal can be taken back', async () => {
  const { venue, operator, tree, play, create } = await house();
  const all = await players(3);
  const staff = await makeStaff(t);
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  const contest = await t.call('POST', '/api/operator/contests/', {
    headers: staff.headers,
    body: { name: 'Qualifier', venue, starts: at(1), ends: at(31), scoring: 'best' },
  });
  const { code } = contest.body as { code: string };
  go(2);
  for (const [place, player] of all.entries()) await play(player, 100 * (place + 1));
  const seeds = { from: 'contest', contest: code, third: false };
  expect((await create(seeds)).status).toBe(400);
  go(30 + 15);
  expect(await settleContests(t)).toBe(1);
  const { id } = (await create(seeds)).body;
  expect((await tree(id))['SF 1']).toMatchObject({ seeds: [1, null], how: 'bye' });
  const names = all.map(({ username }) => username as string);
  const undo = { cup: id, side: names[0] as string };
  expect((await operator('POST', 'withdraw/', undo)).status).toBe(200);
  expect((await tree(id))['SF 2']).toMatchObject({ seeds: [2, 3], winner: 2, how: 'walkover' });
  expect((await operator('POST', 'withdraw/', { ...undo, undo: true })).status).toBe(200);
  expect((await tree(id))['SF 2']).toMatchObject({ seeds: [2, 3], winner: null, how: null });
});

test('CUP-07, CUP-16: a withdrawal stays if its pairing would end after the next one begins', async () => {
  const { create, operator, tree } = await house();
  const all = await players(4);
  const sides = all.map(({ username }) => username as string);
  const { id } = (await create({ sides, third: false })).body;
  const at = (minutes: number) =>
    new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString();
  go(2);
  for (const side of ['3', '4'])
    expect((await operator('POST', 'withdraw/', { cup: id, side })).status).toBe(200);
  const move = (starts: string) =>
    operator('POST', 'windows/', { cup: id, windows: [{ pairing: 'Final', starts }] });
  expect((await move(at(10))).status).toBe(200);
  const undo = async () =>
    (await operator('POST', 'withdraw/', { cup: id, side: '4', undo: true })).body.detail;
  expect(await undo()).toBe('Final begins before SF 1 ends. Move Final first.');
  go(11);
  expect(await undo()).toBe('Final has begun. Decide SF 1, then take the withdrawal back.');
  expect((await tree(id))['SF 1']).toMatchObject({ winner: 1, how: 'walkover' });
});

test('P63: staff see the names of players whom they reach, and the audit keeps who withdrew', async () => {
  const { create, operator, play, venue } = await house();
  const [known, stranger] = (await players(2)) as [Player, Player];
  await play(known, 100);
  const { id } = (await create({ sides: [known.username, stranger.username] })).body;
  const here = { role: 'manager' as const, venues: [venue] };
  const page = await operator<CupForStaff>('GET', 'page/', { cup: id }, here);
  expect(page.body.side_list.map(({ name }) => name)).toEqual([known.username, 'A player']);
  expect(JSON.stringify(page.body)).not.toContain(stranger.username);
  expect((await operator('POST', 'withdraw/', { cup: id, side: '2' }, here)).status).toBe(200);
  const { rows } = await sql<{ what: string; player_id: number }>`
    select what, player_id from audit order by id desc limit 1`.execute(t.db);
  expect(rows[0]).toEqual({
    what: 'Withdrew A player from the cup Finals night',
    player_id: stranger.id,
  });
});

test('CUP-32: screens get the number of games, and a pairing’s window if it differs from its round’s', async () => {
  const { create, play, operator, venue } = await house();
  const all = await players(4);
  const { id } = (await create({ sides: all.map(({ username }) => username) })).body;
  const { token } = await makeScreen(t, venue);
  const ends = new Date(t.clock.now().getTime() + (WINDOW + 6) * MINUTE).toISOString();
  await operator('POST', 'windows/', { cup: id, windows: [{ pairing: 'SF 1', ends }] });
  go(2);
  await play(all[0] as Player, 0);
  const { body } = await t.call('GET', '/api/screen/', { as: { key: token } });
  const [semis] = (body as ScreenAnswer).cups[0]?.rounds ?? [];
  expect(semis?.ends_at).toBe(ends);
  const starts = semis?.starts_at ?? '';
  const end = new Date(Date.parse(starts) + WINDOW * MINUTE).toISOString();
  expect(semis?.pairings).toMatchObject([
    { sums: [0, 0], games: [1, 0] },
    { starts_at: starts, ends_at: end, games: [0, 0] },
  ]);
  expect(semis?.pairings[0]).not.toHaveProperty('starts_at');
});

test('CUP-32: screens get a cup that has just been won, then those that run, then those to come', async () => {
  const { create, play, venue } = await house();
  const [one, two] = (await players(2)) as [Player, Player];
  const sides = [one, two].map(({ username }) => username);
  const starts = (minutes: number) => ({
    starts: new Date(t.clock.now().getTime() + minutes * MINUTE).toISOString(),
  });
  const toCome = [
    (await create({ sides, ...starts(180) })).body.id,
    (await create({ sides, ...starts(180) })).body.id,
  ];
  const { id } = (await create({ sides })).body;
  const { token } = await makeScreen(t, venue);
  const ids = async () => {
    const { body } = await t.call('GET', '/api/screen/', { as: { key: token } });
    return (body as ScreenAnswer).cups.map((cup) => cup.id);
  };
  expect(await ids()).toEqual(toCome);
  go(2);
  expect(await ids()).toEqual([id, toCome[0]]);
  await play(one, 300);
  expect(await endRound()).toBe(1);
  expect(await ids()).toEqual([id, toCome[0]]);
  go(4);
  expect(await ids()).toEqual([id, toCome[0]]);
});

test('CUP-33: staff see how many sides the screens do not name', async () => {
  const { create, staffPage } = await house();
  const all: Player[] = [];
  for (const visibility of ['venue', 'players', 'league'] as const)
    all.push(await makePlayer(t, { visibility }));
  const { id } = (await create({ sides: all.map(({ username }) => username) })).body;
  expect((await staffPage(id)).unnamed).toBe(2);
});

test('P105, P108: draws and rulings are in the audit, and the reason of a ruling never leaves the console', async () => {
  const { create, operator, play, page, venue } = await house();
  const all = await players(4);
  const sides = all.map(({ username }) => username);
  const { id } = (await create({ sides, draw: true, third: false })).body;
  const { rows: cups } = await sql<{ uuid: string; drawn: boolean }>`
    select c.uuid, exists (select from cup_results r where r.cup_id = c.id) as drawn
    from cups c where c.id = ${id}`.execute(t.db);
  expect(cups[0]).toMatchObject({ uuid: expect.any(String), drawn: false });
  await operator('POST', 'draw/', { cup: id });
  go(2);
  for (const player of all) await play(player, 100);
  const reason = 'Because Zaphod_Beeblebrox fell over';
  const decide = { cup: id, pairing: 'SF 1', winner: '4', reason };
  expect((await operator('POST', 'decide/', { ...decide, reason: 'x'.repeat(201) })).status).toBe(
    400,
  );
  expect((await operator('POST', 'decide/', { ...decide, reason: '' })).status).toBe(400);
  expect((await operator('POST', 'decide/', decide)).status).toBe(200);
  const { rows } = await sql<{ what: string; before: object; after: object }>`
    select what, before, after from audit order by id desc limit 3`.execute(t.db);
  expect(rows.map(({ what }) => what)).toEqual([
    'Decided SF 1 of the cup Finals night',
    'Drew the seeds of the cup Finals night',
    'Made the cup Finals night',
  ]);
  expect(rows[0]).toMatchObject({ before: { winner: null }, after: { reason } });
  expect(rows[2]?.after).toMatchObject({ drawn: true });
  const { token } = await makeScreen(t, venue);
  const screen = await t.call('GET', '/api/screen/', { as: { key: token } });
  const phone = await page(all[0] as Player, id);
  expect(JSON.stringify(screen.body)).toContain('Finals night');
  expect(JSON.stringify([screen.body, phone.body])).not.toContain('Zaphod');
});
