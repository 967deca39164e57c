import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { receiverOf } from '#testing/push-service.ts';
import { restoreGame, voidGame } from '../games/corrections.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { planOne, type Teller } from '../push/planner.ts';
import { tellWeeks, weekTeller } from './weeks.ts';

const t = withApp();
const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Berlin';
let devices = 0;

async function withDevice() {
  const player = await makePlayer(t);
  const as = await makeSession(t, player);
  const { endpoint, p256dh, auth } = await receiverOf(`https://fcm.googleapis.com/w/${++devices}`);
  const body = { endpoint, p256dh, auth, locale: 'en', zone: ZONE };
  expect((await t.call('PUT', '/api/users/push/device/', { as, body })).status).toBe(200);
  return player;
}

/** What the player's waiting notices would say now. */
async function told(player: { id: number }) {
  const { rows } = await sql<{ id: string; player_id: number; subject: string; data: object }>`
    select id, player_id, subject, data from push_notices
    where player_id = ${player.id} and state = 'waiting'`.execute(t.db);
  return Promise.all(
    rows.map((row) =>
      weekTeller.words(
        t,
        { ...row, kind: 'my_week', worth_until: t.clock.now() },
        { zone: ZONE, locale: 'en' },
      ),
    ),
  );
}

test('PUSH-02, PUSH-13: players are told of a week’s result an hour after its close, and again if the result changes', async () => {
  const league = await makeLeague(t, { timezone: ZONE });
  const [maya, joe] = [await withDevice(), await withDevice()];
  const home = await makeTeam(t, league, [maya], { name: 'Bankers' });
  await makeTeam(t, league, [joe], { name: 'Reapers' });
  const week = weekOf(t.clock.now(), ZONE);
  await generateSchedule(t, league, { weeks: 3, from: week });
  const opens = startOf(week, ZONE).getTime();
  const closes = startOf(addDays(week, 7), ZONE).getTime();
  t.clock.advance(closes - t.clock.now().getTime() - HOUR_MS);
  const machine = await makeMachine(t);
  const played_at = new Date(opens + 10 * HOUR_MS);
  await makeGames(t, machine, maya, [{ score: 1310, played_at }]);
  await makeGames(t, machine, joe, [{ score: 1274, played_at }]);
  await sql`delete from push_notices`.execute(t.db);
  t.clock.advance(HOUR_MS + HOUR_MS / 2);
  expect(await tellWeeks(t, true)).toBe(0);
  const late = await withDevice();
  await addToTeam(t, home, [late.email]);
  // Taken off by mistake, and put back.
  await removeFromTeam(t, home, maya.email);
  t.clock.advance(5_000);
  await addToTeam(t, home, [maya.email], { undo: true });
  t.clock.advance(HOUR_MS / 2);
  expect(await tellWeeks(t, true)).toBe(2);
  expect(await tellWeeks(t, true)).toBe(0);
  expect(await told(maya)).toEqual([
    {
      title: 'Won 1,310 – 1,274',
      body: 'Bankers beat Reapers. Your best game: 1,310.',
      path: '/week',
    },
  ]);
  expect(await told(joe)).toEqual([
    {
      title: 'Lost 1,274 – 1,310',
      body: 'Bankers beat Reapers. Your best game: 1,274.',
      path: '/league',
    },
  ]);
  const { rows: worth } = await sql<{ until: Date }>`
    select max(worth_until) as until from push_notices where kind = 'my_week'`.execute(t.db);
  expect(worth[0]?.until.getTime()).toBe(closes + 36 * HOUR_MS);
  expect(await told(late), 'not a week before the player joined').toEqual([]);

  await sql`delete from push_notices`.execute(t.db);
  await makeGames(t, machine, joe, [
    { score: 36, played_at: new Date(played_at.getTime() + HOUR_MS) },
  ]);
  await sql`delete from push_notices`.execute(t.db);
  expect(await tellWeeks(t, false), 'compared each hour').toBe(0);
  expect(await tellWeeks(t, true)).toBe(2);
  expect(await told(maya)).toMatchObject([{ title: 'The week has turned: level at 1,310' }]);
  await makeGames(t, machine, joe, [
    { score: 5, played_at: new Date(played_at.getTime() + 2 * HOUR_MS) },
  ]);
  expect(await tellWeeks(t, true), 'turned once').toBe(0);
});

/** Sends what is due, and returns the titles that these players get. */
async function sent(...players: { id: number }[]): Promise<string[][]> {
  const titles = players.map((): string[] => []);
  const nothing: Teller = { rank: () => 9, words: async () => null };
  const my_week: Teller = {
    ...weekTeller,
    words: async (deps, notice, at) => {
      const words = await weekTeller.words(deps, notice, at);
      const nth = players.findIndex(({ id }) => id === notice.player_id);
      if (words !== null) titles[nth]?.push(words.title);
      return words;
    },
  };
  const others = { duel: nothing, my_game: nothing, nudge: nothing, passed: nothing };
  while (await planOne(t, { ...others, my_week }));
  return titles;
}

test('PUSH-02, PUSH-16: a week that turns before it was told is told as it is, and one that turns back is not told again', async () => {
  const league = await makeLeague(t, { timezone: ZONE });
  const [maya, joe] = [await withDevice(), await withDevice()];
  await makeTeam(t, league, [maya], { name: 'Bankers' });
  await makeTeam(t, league, [joe], { name: 'Reapers' });
  const week = weekOf(t.clock.now(), ZONE);
  await generateSchedule(t, league, { weeks: 3, from: week });
  const closes = startOf(addDays(week, 7), ZONE).getTime();
  t.clock.advance(closes - t.clock.now().getTime() - HOUR_MS);
  const machine = await makeMachine(t);
  const played_at = new Date(t.clock.now().getTime() - 60_000);
  const [won] = await makeGames(t, machine, maya, [{ score: 500, played_at }]);
  await makeGames(t, machine, joe, [{ score: 400, played_at }]);
  // Two hours after the close, in the night.
  t.clock.advance(3 * HOUR_MS);
  expect(await tellWeeks(t, true)).toBe(2);
  await voidGame(t, won?.seq ?? 0);
  await tellWeeks(t, true);
  t.clock.advance(8 * HOUR_MS);
  expect(await sent(maya)).toEqual([['Lost 0 – 400']]);
  expect(await tellWeeks(t, true)).toBe(0);
  await restoreGame(t, won?.seq ?? 0);
  expect(await tellWeeks(t, true)).toBe(2);
  await voidGame(t, won?.seq ?? 0);
  t.clock.advance(HOUR_MS);
  expect(await sent(maya), 'turned back').toEqual([[]]);
  await restoreGame(t, won?.seq ?? 0);
  expect(await tellWeeks(t, true)).toBe(2);
  t.clock.advance(HOUR_MS);
  expect(await sent(maya)).toEqual([['The week has turned: won 500 – 400']]);
  await voidGame(t, won?.seq ?? 0);
  expect(await tellWeeks(t, true), 'turned once').toBe(0);
});

test('PUSH-02, PUSH-14: a player told of a result that turns before a team mate is told learns that it has turned', async () => {
  const league = await makeLeague(t, { timezone: ZONE });
  const [maya, mate, joe] = [await withDevice(), await withDevice(), await makePlayer(t)];
  await makeTeam(t, league, [maya, mate], { name: 'Bankers' });
  await makeTeam(t, league, [joe], { name: 'Reapers' });
  const week = weekOf(t.clock.now(), ZONE);
  await generateSchedule(t, league, { weeks: 3, from: week });
  const closes = startOf(addDays(week, 7), ZONE).getTime();
  t.clock.advance(closes - t.clock.now().getTime() - HOUR_MS);
  const machine = await makeMachine(t);
  const played_at = new Date(t.clock.now().getTime() - 60_000);
  const [won] = await makeGames(t, machine, maya, [{ score: 500, played_at }]);
  await makeGames(t, machine, joe, [{ score: 400, played_at }]);
  // Ten hours after the close, in the morning. The mate's notice waits an hour longer.
  t.clock.advance(11 * HOUR_MS);
  await tellWeeks(t, true);
  await sql`update push_notices set due_at = ${new Date(t.clock.now().getTime() + HOUR_MS)}
    where state = 'waiting' and player_id = ${mate.id}`.execute(t.db);
  expect(await sent(maya, mate)).toEqual([['Won 500 – 400'], []]);
  await voidGame(t, won?.seq ?? 0);
  t.clock.advance(HOUR_MS);
  expect(await sent(maya, mate)).toEqual([[], ['Lost 0 – 400']]);
  await tellWeeks(t, true);
  expect(await sent(maya, mate)).toEqual([['The week has turned: lost 0 – 400'], []]);
  t.clock.advance(HOUR_MS);
  expect(await tellWeeks(t, true), 'once').toBe(0);
});
