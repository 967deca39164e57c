import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { CupForStaff, CupListed } from '#contract/wire/cups.ts';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, HOUR, midweekApp } from '#testing/app/midweek.ts';
import type { TestApp } from '#testing/app/test-app.ts';
import { settleContests } from '../contests/final.ts';
import { settleCups } from '../cups/settle.ts';
import { voidGame } from '../games/corrections.ts';
import { addDays, weekOf } from './calendar.ts';
import { generateSchedule } from './schedule.ts';
import { countSeason, endSeasons, touchSeasons } from './season-end.ts';
import { readResults } from './season-results.ts';
import { readSeasons } from './seasons.ts';

/*
 * Makes two changes at once, in two processes. Seasons, cups and contests must end as if one change
 * had come after the other.
 */

const { t, ago } = midweekApp();
let other: TestApp;
beforeAll(async () => {
  other = await t.sibling();
});
const ROUNDS = 8;
const MINUTE = 60_000;

/** A call of the operator to one of the two processes. */
async function operator<T>(app: TestApp, path: string, body: object) {
  const { headers } = await makeStaff(t);
  const answer = await app.call('POST', `/api/operator/${path}`, { headers, body });
  return { status: answer.status, body: answer.body as T };
}
const sorted = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted();

/** Two teams of one player each that met last week and meet again this week, with a game each. */
async function season() {
  const week = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(week, -7) });
  const players = [await makePlayer(t), await makePlayer(t)] as const;
  for (const player of players) await makeTeam(t, league, [player]);
  await generateSchedule(t, league, { weeks: 2 });
  const machine = await makeMachine(t);
  const play = async (at: 0 | 1, score: number, played_at = ago(8 * DAY)) => {
    const [game] = await makeGames(t, machine, players[at], [{ score, played_at }]);
    return game?.seq ?? 0;
  };
  const games = [await play(0, 300), await play(1, 200)] as const;
  const read = async () => {
    const [one] = await readSeasons(t.db, league.id);
    if (one === undefined) throw new Error('no season');
    return one;
  };
  const name = `${league.name}/Season 1`;
  const end = (app: TestApp) => operator(app, 'seasons/end/', { league: league.name, now: true });
  return { league, week, name, play, games, read, end };
}

/** Expects that the stored table has every game, or that the season is marked. */
async function inTableOrMarked(ended: Awaited<ReturnType<typeof readSeasons>>[number]) {
  if (ended.touched_at !== null) return;
  const [stored] = await readResults(t.db, ended.id);
  const now = await t.db.transaction().execute((trx) => countSeason(trx, ended));
  const totals = ({ rows }: { rows: { team: string; total: number }[] }) =>
    rows.map(({ team, total }) => [team, total]);
  expect(stored && totals(stored)).toEqual(totals(now));
}

test('SEASON-22, SEASON-23, P107: two calls that end a season at once store one final table', async () => {
  const { read, end } = await season();
  const answers = await Promise.all([end(t), end(other), endSeasons(t)]);
  expect(sorted(answers.slice(0, 2) as { status: number }[])).toEqual([200, expect.any(Number)]);
  expect((await readResults(t.db, (await read()).id)).map(({ version }) => version)).toEqual([1]);
  expect(await Promise.all([endSeasons(t), endSeasons(other)])).toEqual([0, 0]);
});

test('SEASON-25: a game recorded or voided while a season ends is in its table, or marks it as changed', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { league, read, end, play, games } = await season();
    // In half of the rounds, the season is ended from its grace.
    if (round % 4 < 2) await operator(t, 'seasons/end/', { league: league.name });
    const change = round % 2 === 0 ? play(1, 400) : voidGame(t, games[0]);
    await Promise.all([end(other), change]);
    const ended = await read();
    expect(ended.final_at).not.toBeNull();
    await inTableOrMarked(ended);
  }
});

test('SEASON-25, P104: of two concurrent corrections, only one is stored', async () => {
  const { read, end, games, name } = await season();
  await end(t);
  await voidGame(t, games[0]);
  const body = { season: name, reason: 'A game was not theirs' };
  const answers = await Promise.all(
    [t, other].map((app) => operator(app, 'seasons/correct/', body)),
  );
  expect(sorted(answers)).toEqual([200, 400]);
  const versions = (await readResults(t.db, (await read()).id)).map(({ version }) => version);
  expect(versions).toEqual([2, 1]);
});

test('SEASON-25: a correction waits for transactions that are changing the season’s games', async () => {
  const { read, end, games, name, week } = await season();
  await end(t);
  await voidGame(t, games[0]);
  const { id } = await read();
  const waits = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
    return rows.length;
  };
  const body = { season: name, reason: 'A game was not theirs' };
  const correcting = await t.db.transaction().execute(async (trx) => {
    await sql`delete from league_weeks where team_id in (
      select team_id from season_entries where season_id = ${id})`.execute(trx);
    await touchSeasons(trx, [{ season_id: id, week: addDays(week, -7) }], t.clock.now());
    const answer = operator(other, 'seasons/correct/', body);
    await expect.poll(waits).toBe(1);
    return { answer };
  });
  expect((await correcting.answer).status).toBe(200);
  await inTableOrMarked(await read());
});

test('SEASON-32, SEASON-33: concurrent postponing and generating lose no week and fill none twice', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { league, week, read } = await season();
    const answers = await Promise.all([
      operator(t, 'leagues/postpone/', { league: league.name, week, reason: 'A burst pipe' }),
      operator(other, 'leagues/schedule/', { league: league.name, weeks: 2 }),
    ]);
    expect(sorted(answers)).toEqual([200, 200]);
    const { id } = await read();
    const { rows } = await sql<{ week: string; sides: number }>`
      select week::text, count(*)::int as sides from matchup_sides where season_id = ${id}
      group by week order by week`.execute(t.db);
    // The postponed current week has no sides. The week before it and the three weeks after it do.
    const weeks = [-7, 7, 14, 21].map((days) => ({ week: addDays(week, days), sides: 2 }));
    expect(rows).toEqual(weeks);
  }
});

/** A venue with a machine, and a cup or contest of an hour that begins in a minute. */
async function night(path: string, body: object) {
  const venue = `Race house ${randomUUID()}`;
  const machine = await makeMachine(t, { venue });
  const starts = new Date(t.clock.now().getTime() + MINUTE);
  const made = await operator<CupListed & { code: string }>(t, path, {
    ...{ name: 'Night', venue, starts: starts.toISOString() },
    ...body,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  t.clock.advance(30 * MINUTE);
  const play = async (player: { id: number }, score: number) => {
    const [game] = await makeGames(t, machine, player, [{ score }]);
    return game?.seq ?? 0;
  };
  return { ...made.body, play };
}

test('CUP-14, CUP-20: a game voided while a pairing is decided is left out, or a correction is offered', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const players = [await makePlayer(t), await makePlayer(t)] as const;
    const sides = players.map(({ username }) => username);
    const { id, play } = await night('cups/', { from: 'sides', sides, minutes: 60 });
    const game = await play(players[0], 300);
    await play(players[1], 200);
    t.clock.advance(HOUR);
    await Promise.all([settleCups(other), voidGame(t, game), settleCups(t)]);
    const { headers } = await makeStaff(t);
    const page = (await t.call('GET', `/api/operator/cups/page/?cup=${id}`, { headers }))
      .body as CupForStaff;
    const final = page.rounds[0]?.pairings[0];
    if (final?.winner === 1) {
      expect(page.offers).toMatchObject([{ pairing: 'Final' }]);
    } else {
      expect(final).toMatchObject({ winner: 2, how: 'no_show' });
      expect(page.offers).toEqual([]);
    }
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from cup_results where cup_id = ${Number(id)}`.execute(t.db);
    expect(rows).toEqual([{ n: 1 }]);
  }
});

test('SEASON-23, CONTEST-05, CUP-14, P107: if the commit of an end fails, nothing is stored, and the next attempt stores all', async () => {
  const { read, end } = await season();
  const [maya, joe] = [await makePlayer(t), await makePlayer(t)] as const;
  const ends = new Date(t.clock.now().getTime() + HOUR).toISOString();
  const contest = await night('contests/', { scoring: 'best', ends });
  const sides = [maya, joe].map(({ username }) => username);
  const cup = await night('cups/', { from: 'sides', sides, minutes: 60 });
  await contest.play(maya, 300);
  await cup.play(joe, 300);
  t.clock.advance(2 * HOUR);
  const tables = ['season_results', 'contest_results', 'cup_results'];
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`.execute(t.db);
  for (const table of tables)
    await sql`create constraint trigger refuse after insert on ${sql.ref(table)}
      deferrable initially deferred for each row execute function refuse()`.execute(t.db);
  const { id } = await read();
  const stored = async () => {
    const { rows } = await sql<{ rows: number; final: number }>`
      select (select count(*) from season_results where season_id = ${id})
        + (select count(*) from contest_results r join contests c on c.id = r.contest_id
            where c.code = ${contest.code})
        + (select count(*) from cup_results where cup_id = ${Number(cup.id)}) as rows,
      (select count(*) from seasons where id = ${id} and final_at is not null)
        + (select count(*) from contests where code = ${contest.code} and final_at is not null)
        + (select count(*) from cups where id = ${Number(cup.id)} and final_at is not null) as final`.execute(
      t.db,
    );
    return rows[0];
  };
  expect((await end(t)).status).toBe(500);
  await expect(settleContests(t)).rejects.toThrow('refused');
  await expect(settleCups(t)).rejects.toThrow('refused');
  expect(await stored()).toEqual({ rows: 0, final: 0 });
  for (const table of tables) await sql`drop trigger refuse on ${sql.ref(table)}`.execute(t.db);
  expect((await end(other)).status).toBe(200);
  await Promise.all([settleContests(other), settleCups(other)]);
  expect(await stored()).toEqual({ rows: 3, final: 3 });
});

test('CONTEST-06, P104, P107: of two concurrent corrections of a contest, only one is stored', async () => {
  const [maya, joe] = [await makePlayer(t), await makePlayer(t)];
  const ends = new Date(t.clock.now().getTime() + HOUR).toISOString();
  const { code, play } = await night('contests/', { scoring: 'best', ends });
  const game = await play(maya, 300);
  await play(joe, 200);
  t.clock.advance(HOUR);
  await Promise.all([settleContests(t), settleContests(other)]);
  await voidGame(t, game);
  const body = { contest: code, reason: 'A game was not theirs' };
  const answers = await Promise.all(
    [t, other].map((app) => operator(app, 'contests/correct/', body)),
  );
  expect(sorted(answers)).toEqual([200, 400]);
  const { rows } = await sql<{ version: number }>`
    select r.version from contest_results r join contests c on c.id = r.contest_id
    where c.code = ${code} order by r.version`.execute(t.db);
  expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
});
