import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  joinTeam,
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import { rebuild } from '../games/rebuild.ts';
import { addDays, weekOf } from './calendar.ts';
import { countSeason, recountSeason } from './season-end.ts';
import { readSeasons } from './seasons.ts';
import { readWeekSums, storeWeekSums } from './week-sums.ts';

const { t, ago } = midweekApp();

/** A league of two teams with a player each, whose season began four weeks ago. */
async function season() {
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -28) });
  const [one, two] = [await makePlayer(t), await makePlayer(t)];
  const since = ago(60 * DAY);
  const ones = await makeTeam(t, league, [one], { since });
  const twos = await makeTeam(t, league, [two], { since });
  const machine = await makeMachine(t);
  const read = async () => {
    const [found] = await readSeasons(t.db, league.id);
    if (found === undefined) throw new Error('no season');
    return found;
  };
  const { id } = await read();
  const play = async (player: { id: number }, score: number, days: number) => {
    const [game] = await makeGames(t, machine, player, [{ score, played_at: ago(days * DAY) }]);
    return game?.seq ?? 0;
  };
  /** A list for each week: the team (1 or 2), how many weeks ago, the total, the best score. */
  const sums = async () =>
    (await readWeekSums(t.db, await read(), 'stored'))
      .map(({ team_id, week: of, total, best }) => [
        team_id === ones.id ? 1 : 2,
        (Date.parse(week) - Date.parse(of)) / (7 * DAY),
        total,
        best,
      ])
      .sort();
  const summedTo = async () => {
    const { rows } = await sql<{ summed_to: string | null }>`
      select summed_to from seasons where id = ${id}`.execute(t.db);
    return rows[0]?.summed_to;
  };
  return { league, id, week, one, two, ones, twos, play, read, sums, summedTo };
}

/** Changes the stored sums, so that a read shows where it takes them from. */
const forge = (team: { id: number }) =>
  sql`update team_weeks set total = total + 5000 where team_id = ${team.id}`.execute(t.db);

async function operator(path: string, body: object): Promise<void> {
  const { headers } = await makeStaff(t);
  const answer = await t.call('POST', `/api/operator/${path}`, { headers, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
}
const voidGame = (game: number) => operator('games/void/', { game: String(game) });

test('finished weeks are read from their stored sums, the current one from its games', async () => {
  const { week, one, two, ones, twos, play, sums, summedTo } = await season();
  await play(one, 300, 14);
  await play(one, 200, 14);
  await play(two, 250, 7);
  await play(one, 100, 0);
  const counted = [
    [1, 0, 100, 100],
    [1, 2, 500, 300],
    [2, 1, 250, 250],
  ];
  expect(await sums()).toEqual(counted);
  expect(await storeWeekSums(t)).toBeGreaterThan(0);
  expect(await summedTo()).toBe(addDays(week, -7));
  expect(await sums()).toEqual(counted);
  await forge(ones);
  expect(await sums()).toEqual([[1, 0, 100, 100], [1, 2, 5_500, 300], counted[2]]);
  // The next night puts right what is wrong.
  expect(await storeWeekSums(t)).toBe(0);
  expect(await sums()).toEqual(counted);
  // Version 0.2 leaves the best score as it was.
  await sql`update league_weeks set best_sum = 1 where team_id = ${twos.id}`.execute(t.db);
  await storeWeekSums(t);
  expect(await sums()).toEqual([counted[0], counted[1], [2, 1, 250, null]]);
});

test('a late game, and a game that staff take out, drop the sums from their week on', async () => {
  const { week, one, two, twos, play, sums, summedTo } = await season();
  const game = await play(one, 300, 21);
  await play(two, 250, 14);
  const later = await play(one, 120, 7);
  await storeWeekSums(t);
  await play(two, 280, 14);
  expect(await summedTo()).toBe(addDays(week, -21));
  expect(await sums()).toEqual([
    [1, 1, 120, 120],
    [1, 3, 300, 300],
    [2, 2, 530, 280],
  ]);
  await storeWeekSums(t);
  await voidGame(later);
  expect(await summedTo()).toBe(addDays(week, -14));
  await voidGame(game);
  expect(await summedTo()).toBe(addDays(week, -28));
  expect(await sums()).toEqual([[2, 2, 530, 280]]);
  await storeWeekSums(t);
  expect(await summedTo()).toBe(addDays(week, -7));
  await forge(twos);
  expect(await sums()).toEqual([[2, 2, 5_530, 280]]);
});

test('a correction marks no other final season of the player', async () => {
  const { league, one, play, read } = await season();
  await play(one, 300, 14);
  await operator('seasons/end/', { league: league.name, now: true });
  expect((await read()).final_at).not.toBeNull();
  const next = await season();
  await joinTeam(t, next.ones, [one], ago(6 * DAY));
  await voidGame(await play(one, 310, 0));
  expect((await read()).touched_at).toBeNull();
});

test('SEASON-23, SEASON-25: a final result is counted from games, not from stored sums', async () => {
  const { week, one, ones, play, read } = await season();
  await play(one, 300, 14);
  await storeWeekSums(t);
  await forge(ones);
  const ended = { ...(await read()), last_week: addDays(week, -7) };
  const total = ({ rows }: Awaited<ReturnType<typeof countSeason>>) =>
    rows.find(({ team_id }) => team_id === ones.id)?.total;
  expect(total(await countSeason(t.db, ended))).toBe(300);
  expect(total(await recountSeason(t.db, ended, { rows: [] }))).toBe(300);
});

test('a season’s end, its correction and a dismissed correction drop the sums', async () => {
  const { league, week, one, play, read, summedTo } = await season();
  const games = [await play(one, 300, 21), await play(one, 200, 14)];
  const name = `${league.name}/Season 1`;
  const sumUp = async () => {
    await storeWeekSums(t);
    expect(await summedTo()).toBe(addDays(week, -7));
  };
  await sumUp();
  await operator('seasons/end/', { league: league.name, now: true });
  expect(await summedTo()).toBeNull();
  await sumUp();
  await voidGame(games[0] ?? 0);
  await sumUp();
  await operator('seasons/correct/', { season: name, reason: 'Not theirs' });
  expect(await summedTo()).toBeNull();
  await sumUp();
  await voidGame(games[1] ?? 0);
  await sumUp();
  await operator('seasons/leave/', { season: name });
  expect(await summedTo()).toBeNull();
  expect((await read()).touched_at).toBeNull();
});

test('another time zone, and another entry of a team, drop the sums', async () => {
  const { league, ones, summedTo } = await season();
  await storeWeekSums(t);
  expect(await summedTo()).not.toBeNull();
  await operator('leagues/rename/', {
    league: league.name,
    name: league.name,
    timezone: 'America/Los_Angeles',
  });
  expect(await summedTo()).toBeNull();
  await storeWeekSums(t);
  expect(await summedTo()).not.toBeNull();
  await operator('teams/enter/', { team: ones.name });
  expect(await summedTo()).toBeNull();
});

test('a late game that pushes a game of another league’s team out of the week drops the sums of both', async () => {
  const { one, play, sums } = await season();
  const other = await season();
  await play(one, 100, 7);
  await joinTeam(t, other.twos, [one], ago(7 * DAY - HOUR));
  for (let score = 401; score <= 407; score += 1) await play(one, score, 6);
  await storeWeekSums(t);
  expect(await other.sums()).toEqual([[2, 1, 404 + 405 + 406 + 407, 407]]);
  await play(one, 110, 8);
  expect(await sums()).toEqual([[1, 1, 210, 110]]);
  expect(await other.sums()).toEqual([[2, 1, 403 + 404 + 405 + 406, 406]]);
});

test('a rebuild that changes a week drops its sums', async () => {
  const { one, ones, play, sums } = await season();
  await play(one, 300, 14);
  await play(one, 200, 7);
  await sql`update league_weeks set total = 1 where team_id = ${ones.id}`.execute(t.db);
  await storeWeekSums(t);
  expect(await sums()).toEqual([
    [1, 1, 1, 200],
    [1, 2, 1, 300],
  ]);
  await rebuild(t);
  expect(await sums()).toEqual([
    [1, 1, 200, 200],
    [1, 2, 300, 300],
  ]);
});

test('sums wait for a transaction that is recording a late game', async () => {
  const { id, one, ones, play, sums } = await season();
  await play(one, 300, 14);
  const waits = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    return rows.length;
  };
  const { storing } = await t.db.transaction().execute(async (trx) => {
    await sql`update league_weeks set total = 290 where team_id = ${ones.id}`.execute(trx);
    await sql`select from seasons where id = ${id} for no key update`.execute(trx);
    const storing = storeWeekSums(t);
    await expect.poll(waits).toBe(1);
    return { storing };
  });
  await storing;
  expect(await sums()).toEqual([[1, 2, 290, 300]]);
});
