import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { CANNOT_TURN, NOT_ON_TEAM, NUDGED } from '#contract/rules/nudges.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import {
  goToMidweek,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
  setLeagueMode,
} from '#testing/app/make.ts';
import { DAY, HOUR } from '#testing/app/midweek.ts';
import { countQueries } from '#testing/app/query-cost.ts';
import { type TestApp, withApp } from '#testing/app/test-app.ts';
import { receiverOf } from '#testing/push-service.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { readLeagueStats } from '../leagues/this-week.ts';
import { planOne, type StoredNotice } from '../push/planner.ts';
import { nudgeByThemselves } from './by-itself.ts';
import { nudgeTeller } from './notices.ts';
import { cleanUpNudges } from './nudges.ts';

const t = withApp();
const PATH = '/api/users/nudges/';
const refused = (words: string) => ({ status: 400, body: { username: [words] } });
const SENT = { status: 200, body: { state: 'sent' } };

type Columns = Parameters<typeof makePlayer>[1];
async function aPlayer(columns: Columns = {}) {
  const player = await makePlayer(t, { visibility: 'league', ...columns });
  const call = async (method: string, path: string, body?: unknown, app: TestApp = t) =>
    app.call(method, path, { as: await makeSession(t, player), ...(body ? { body } : {}) });
  return {
    ...player,
    username: player.username ?? '',
    call,
    nudge: (to: { username: string }, app?: TestApp) =>
      call('POST', PATH, { username: to.username }, app),
    stats: async (): Promise<LeagueStats> =>
      (await call('GET', '/api/leaderboards/user-league-stats/')).body,
    setOn: (nudge: boolean) => call('PATCH', '/api/users/push/', { kinds: { nudge } }),
  };
}
type Someone = Awaited<ReturnType<typeof aPlayer>>;

let machine: Awaited<ReturnType<typeof makeMachine>>;
const play = (player: { id: number }, ...scores: number[]) =>
  makeGames(
    t,
    machine,
    player,
    scores.map((score, at) => ({
      score,
      played_at: new Date(t.clock.now().getTime() - 60_000 + at),
    })),
  );

/** A week of `home`, with a game of 300 each, against a team with a total of `rival`. */
async function aWeek(home: Someone[], rival: number, timezone = 'UTC') {
  const league = await makeLeague(t, { timezone });
  const other = await aPlayer();
  const team = await makeTeam(t, league, home);
  await makeTeam(t, league, [other]);
  await generateSchedule(t, league, { weeks: 1, from: weekOf(t.clock.now(), timezone) });
  for (const one of home) await play(one, 300);
  await play(other, rival);
  return { league, team, other };
}

const buttons = ({ teammates }: LeagueStats) =>
  Object.fromEntries(teammates.map(({ username, nudge }) => [username, nudge]));

async function withDevice(one: Someone, zone = 'UTC') {
  const { endpoint, p256dh, auth } = await receiverOf(`https://fcm.googleapis.com/n/${one.id}`);
  const body = { endpoint, p256dh, auth, locale: 'en', zone };
  expect((await one.call('PUT', '/api/users/push/device/', body)).status).toBe(200);
}

/** The waiting nudges of a player, as they would be sent now. */
async function told(one: Someone): Promise<string[]> {
  const { rows } = await sql<StoredNotice>`
    select * from push_notices where player_id = ${one.id} and state = 'waiting'
      and kind = 'nudge'`.execute(t.db);
  const words = await Promise.all(
    rows.map((notice) => nudgeTeller.words(t, notice, { zone: 'UTC', locale: 'en' })),
  );
  return words.map((one) => (one === null ? 'nothing' : `${one.title}. ${one.body}`));
}

let count: ReturnType<typeof countQueries>;
beforeAll(async () => {
  count = countQueries(t);
  machine = await makeMachine(t);
});
/** Thursday at noon, in UTC. */
beforeEach(async () => {
  goToMidweek(t);
  t.clock.advance(DAY);
  await sql`delete from limits`.execute(t.db);
});

test('NUDGE-02, PUSH-03, PUSH-13: after a player taps a mate’s button, the mate sees the strip and gets the notification', async () => {
  const [maya, joe, dee] = [await aPlayer(), await aPlayer(), await aPlayer()];
  await aWeek([maya, joe, dee], 1_035);
  await withDevice(joe);
  await setLeagueMode(t, dee, false);
  expect(buttons(await maya.stats())).toEqual({
    [maya.username]: null,
    [joe.username]: 'open',
    [dee.username]: null,
  });
  expect(await maya.nudge(dee)).toMatchObject(refused(CANNOT_TURN));
  expect(await maya.nudge({ username: joe.username.toUpperCase() })).toMatchObject(SENT);
  expect(buttons(await dee.stats())[joe.username]).toBe('sent');
  expect(await dee.nudge(joe)).toMatchObject(refused(NUDGED));
  const { nudged, week_closes_at } = await joe.stats();
  expect(nudged).toEqual({ by: maya.username, left: 7, gap: 135, closes_at: week_closes_at });
  expect((await maya.stats()).nudged).toBeNull();
  expect(await told(joe)).toEqual([
    `${maya.username} nudges you. 7 league games left, your team is 135 behind. The week closes in 83 h.`,
  ]);
  const { rows: worth } = await sql<{ until: Date }>`
    select worth_until as until from push_notices where player_id = ${joe.id}`.execute(t.db);
  expect(worth.map(({ until }) => until.getTime())).toEqual([Date.parse(week_closes_at) - HOUR]);
  t.clock.advance(HOUR);
  await play(joe, 135);
  // Joe has played since the nudge, so he gets no strip and no notice, although his level team can
  // still turn the week.
  expect((await joe.stats()).nudged).toBeNull();
  expect(await told(joe)).toEqual(['nothing']);
  expect(buttons(await maya.stats())[joe.username]).toBe('sent');
  await play(joe, 1);
  expect(buttons(await maya.stats())[joe.username]).toBeNull();
});

test('NUDGE-01 players of a level team can nudge from Thursday until the last hour, unless there is a ruling', async () => {
  const [maya, joe] = [await aPlayer(), await aPlayer()];
  const { team } = await aWeek([maya, joe], 600);
  await withDevice(joe);
  t.clock.advance(-12 * HOUR - 60_000);
  expect(buttons(await maya.stats())[joe.username]).toBeNull();
  expect(await maya.nudge(joe)).toMatchObject(refused(CANNOT_TURN));
  t.clock.advance(12 * HOUR + 60_000);
  const closes = Date.parse((await maya.stats()).week_closes_at);
  t.clock.advance(closes - HOUR - t.clock.now().getTime());
  expect(await maya.nudge(joe)).toMatchObject(refused(CANNOT_TURN));
  t.clock.advance(-60_000);
  const ruling = { team_id: team.id, week: weekOf(t.clock.now(), 'UTC'), ruling: 'home' as const };
  await t.db
    .insertInto('matchup_rulings')
    .values({ ...ruling, reason: 'Why', at: t.clock.now() })
    .execute();
  expect(await maya.nudge(joe)).toMatchObject(refused(CANNOT_TURN));
  await t.db.deleteFrom('matchup_rulings').execute();
  expect(await maya.nudge(joe)).toMatchObject(SENT);
  expect(await told(joe)).toEqual([
    `${maya.username} nudges you. 7 league games left, your team is level. The week closes in 1 h.`,
  ]);
  await play(joe, 0, 0, 0, 0, 0, 0);
  await sql`update nudges set at = ${t.clock.now()}`.execute(t.db);
  expect(await told(joe)).toEqual([
    `${maya.username} nudges you. 1 league game left, your team is level. The week closes in 1 h.`,
  ]);
});

test('NUDGE-05, P75, PUSH-T8: the button and the answer do not show that a mate takes no nudges', async () => {
  const maya = await aPlayer();
  const mates = {
    plain: await aPlayer(),
    off: await aPlayer(),
    child: await aPlayer({ date_of_birth: '2015-01-31' }),
    blocker: await aPlayer(),
    blocked: await aPlayer(),
  };
  await aWeek([maya, ...Object.values(mates)], 2_000);
  for (const one of [mates.plain, mates.off, mates.blocker]) await withDevice(one);
  await mates.off.setOn(false);
  const pairs = [
    [mates.blocker.id, maya.id],
    [maya.id, mates.blocked.id],
  ];
  for (const [one, other] of pairs)
    await sql`insert into blocks values (${one}, ${other}, default, now())`.execute(t.db);
  const counts = new Set<number>();
  for (const one of Object.values(mates)) {
    expect(buttons(await maya.stats())[one.username]).toBe('open');
    const as = await makeSession(t, maya);
    counts.add(
      await count(async () => {
        const body = { username: one.username };
        expect(await t.call('POST', PATH, { as, body })).toMatchObject(SENT);
      }),
    );
    expect(buttons(await maya.stats())[one.username]).toBe('sent');
    expect((await one.stats()).nudged === null).toBe(one !== mates.plain);
  }
  expect([...counts]).toEqual([expect.any(Number)]);
  expect(await told(mates.blocker)).toEqual(['nothing']);
  // The switch is read when the notice is sent.
  const tellers = Object.fromEntries(
    ['my_game', 'my_week', 'nudge', 'duel', 'passed'].map((kind) => [kind, nudgeTeller]),
  ) as Parameters<typeof planOne>[1];
  while (await planOne(t, tellers));
  const { rows } = await sql<{ player_id: number; state: string; why: string | null }>`
    select player_id, state, why from push_notices where kind = 'nudge'
      and player_id = any(${[mates.plain.id, mates.off.id, mates.blocker.id]}::bigint[])
    order by player_id`.execute(t.db);
  expect(rows.map(({ state, why }) => [state, why])).toEqual([
    ['sent', null],
    ['dropped', 'off'],
    ['dropped', 'no longer true'],
  ]);
  // The switch hides the strip too, at once.
  await mates.plain.setOn(false);
  expect((await mates.plain.stats()).nudged).toBeNull();
});

test('PUSH-21, P76: a player can nudge only adult mates whose names are visible, five times a day', async () => {
  const maya = await aPlayer();
  const child = await aPlayer({ date_of_birth: '2015-01-31' });
  const mates = [await aPlayer(), await aPlayer(), await aPlayer(), await aPlayer()];
  const [joe, lil] = mates as [Someone, Someone];
  const { league, team, other } = await aWeek([maya, child, ...mates], 2_000);
  for (const username of [other.username, 'nobody', maya.username])
    expect(await maya.nudge({ username })).toMatchObject(refused(NOT_ON_TEAM));
  expect(new Set(Object.values(buttons(await child.stats())))).toEqual(new Set([null]));
  expect(await child.nudge(joe)).toMatchObject(refused(CANNOT_TURN));
  // A former mate neither nudges nor is nudged.
  await removeFromTeam(t, team, lil.email);
  await makeTeam(t, league, [lil]);
  expect(await lil.nudge(joe)).toMatchObject(refused(NOT_ON_TEAM));
  expect(await maya.nudge(lil)).toMatchObject(refused(NOT_ON_TEAM));
  // A player who joined by the code sees no names, so cannot nudge by one.
  const stranger = await aPlayer();
  await addToTeam(t, team, [stranger.email]);
  await sql`update team_changes set how = 'code' where player_id = ${stranger.id}`.execute(t.db);
  expect(Object.values(buttons(await stranger.stats()))).not.toContain('open');
  expect(await stranger.nudge(joe)).toMatchObject(refused(NOT_ON_TEAM));
  await sql`delete from limits`.execute(t.db);
  const answers = [];
  for (let n = 0; n < 7; n += 1) answers.push((await maya.nudge({ username: 'nobody' })).status);
  expect(answers).toEqual([400, 400, 400, 400, 400, 429, 429]);
});

test('NUDGE-04, PUSH-03, P74: of two simultaneous nudges in two processes only the first is sent', async () => {
  const [maya, dee, joe] = [await aPlayer(), await aPlayer(), await aPlayer()];
  await aWeek([maya, dee, joe], 1_035);
  const other = await t.sibling();
  const answers = await Promise.all([maya.nudge(joe), dee.nudge(joe, other)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  // Two players can nudge each other.
  expect([(await maya.nudge(dee)).status, (await dee.nudge(maya)).status]).toEqual([200, 200]);
});

/** Moves the clock to an hour of the week's last day. */
const toSunday = (hour: number) => {
  const sunday = startOf(addDays(weekOf(t.clock.now(), 'UTC'), 6), 'UTC').getTime();
  t.clock.advance(sunday + hour * HOUR - t.clock.now().getTime());
};

test('NUDGE-03 the app nudges the player with the largest gain once, between noon and eight on the player’s clock', async () => {
  const names = ['zoe-least', 'abe-most', 'Bea-most'];
  const [zoe, abe, bea] = (await Promise.all(names.map((username) => aPlayer({ username })))) as [
    Someone,
    Someone,
    Someone,
  ];
  const { other } = await aWeek([zoe, bea, abe], 2_900);
  await play(zoe, 300, 300, 300);
  // The gains of the two are equal, so the first by name is nudged.
  await play(bea, 350);
  await play(abe, 350);
  await withDevice(abe, 'America/Bogota');
  const nudged = async (hour: number) => {
    toSunday(hour);
    await nudgeByThemselves(t);
    return (await Promise.all([zoe, bea, abe].map((one) => one.stats()))).map(
      (stats) => stats.nudged,
    );
  };
  const none = [null, null, null];
  expect(await nudged(-12.1), 'before the last 36 hours').toEqual(none);
  expect(await nudged(1.1), 'Saturday 20:06 in Bogota').toEqual(none);
  expect(await nudged(16.9), 'Sunday 11:54 in Bogota').toEqual(none);
  const by = { by: null, left: 6, gap: 400, closes_at: (await abe.stats()).week_closes_at };
  expect(await nudged(17)).toEqual([null, null, by]);
  expect(await nudged(17.9)).toEqual([null, null, by]);
  expect(await told(abe)).toEqual([
    'Your team is 400 behind. 6 league games left. The week closes in 6 h.',
  ]);
  expect(await bea.nudge(abe)).toMatchObject(refused(NUDGED));
  // Bea now has the largest gain, but the app nudges only one player of a team.
  await play(abe, 350, 350, 350);
  await play(other, 700);
  expect(await nudged(19)).toEqual(none);
  await sql`delete from nudges where player_id = ${abe.id}`.execute(t.db);
  expect(await nudged(19.5)).toMatchObject([null, { by: null, gap: 350 }, null]);
});

test('NUDGE-03 the app nudges nobody whom a mate has nudged, and nobody in place of a player who takes no nudges', async () => {
  const [maya, joe] = [await aPlayer(), await aPlayer()];
  await aWeek([maya, joe], 1_700);
  await play(joe, 900);
  await maya.nudge(joe);
  const [off, dee] = [await aPlayer(), await aPlayer()];
  await aWeek([off, dee], 1_700);
  await play(off, 900);
  await off.setOn(false);
  toSunday(13);
  expect(await nudgeByThemselves(t)).toBe(1);
  expect(buttons(await joe.stats())[maya.username]).toBe('open');
  expect(buttons(await dee.stats())[off.username]).toBe('sent');
  expect((await off.stats()).nudged).toBeNull();
  // While nothing is due, the job sends one statement.
  t.clock.advance(2 * DAY);
  expect(await count(() => nudgeByThemselves(t))).toBe(1);
});

test('NUDGE-03 a mate’s nudge does not count as the app’s own once the sender’s account is deleted', async () => {
  const [maya, joe, dee] = [await aPlayer(), await aPlayer(), await aPlayer()];
  await aWeek([maya, joe, dee], 1_700);
  await maya.nudge(joe);
  await play(dee, 450);
  await t.db.deleteFrom('players').where('id', '=', maya.id).execute();
  toSunday(13);
  await nudgeByThemselves(t);
  expect((await dee.stats()).nudged).toMatchObject({ by: null });
  const exported = await joe.call('GET', '/api/users/profile/export/');
  expect(exported.body.nudges).toMatchObject([{ by_itself: false }]);
});

test('a nudge of a deleted sender becomes a nudge of the app, and nudges are kept 60 days', async () => {
  const [maya, joe] = [await aPlayer(), await aPlayer()];
  await aWeek([maya, joe], 700);
  await maya.nudge(joe);
  const exported = await joe.call('GET', '/api/users/profile/export/');
  const week = weekOf(t.clock.now(), 'UTC');
  expect(exported.body).toMatchObject({ nudges: [{ week, by_itself: false }], nudges_sent: [] });
  const sent = await maya.call('GET', '/api/users/profile/export/');
  expect(sent.body).toMatchObject({ nudges: [], nudges_sent: [{ week }] });
  // The version before migration 092 does not write who sent it.
  await sql`update nudges set by_mate = false where player_id = ${joe.id}`.execute(t.db);
  await cleanUpNudges(t);
  await t.db.deleteFrom('players').where('id', '=', maya.id).execute();
  expect((await joe.stats()).nudged).toMatchObject({ by: null });
  const after = await joe.call('GET', '/api/users/profile/export/');
  expect(after.body).toMatchObject({ nudges: [{ week, by_itself: false }] });
  t.clock.advance(59 * DAY);
  const kept = async () =>
    (await sql`select from nudges where player_id = ${joe.id}`.execute(t.db)).rows.length;
  await cleanUpNudges(t);
  expect(await kept()).toBe(1);
  t.clock.advance(2 * DAY);
  expect(await cleanUpNudges(t)).toBeGreaterThan(0);
  expect(await kept()).toBe(0);
});

test('reading a week takes one more statement only while a team that is not ahead can nudge', async () => {
  const [maya, joe] = [await aPlayer(), await aPlayer()];
  const { other } = await aWeek([maya, joe], 700);
  await maya.nudge(joe);
  expect(await count(() => readLeagueStats(t, [joe.id, maya.id]))).toBe(2);
  expect(await count(() => readLeagueStats(t, [other.id])), 'ahead').toBe(1);
  t.clock.advance(-DAY);
  expect(await count(() => readLeagueStats(t, [joe.id])), 'on Wednesday').toBe(1);
});
