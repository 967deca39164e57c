import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { LeagueStats, TonightLeague } from '#contract/wire/leagues.ts';
import type { ScreenAnswer } from '#contract/wire/screens.ts';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeSession,
  makeTeam,
} from '#testing/app/make.ts';
import { DAY, midweekApp } from '#testing/app/midweek.ts';
import { OPERATOR_KEY } from '#testing/app/test-app.ts';
import { addDays, weekOf } from './calendar.ts';
import { SIDES } from './matchups.ts';
import { generateSchedule } from './schedule.ts';
import { decisionOn, readFacts } from './season-view.ts';
import { readSeasons } from './seasons.ts';

const { t } = midweekApp();
const key = { key: OPERATOR_KEY };
const NAMES = ['A', 'B', 'C', 'D'];

/** Four teams of one player each in week `week` of six. Each has played. There is a television. */
async function running(week: number) {
  const monday = weekOf(t.clock.now(), 'UTC');
  const league = await makeLeague(t, { starts: addDays(monday, -7 * (week - 1)) });
  const venue = `Venue of ${league.id}`;
  const machine = await makeMachine(t, { venue });
  const players = new Map<string, Awaited<ReturnType<typeof makePlayer>>>();
  const teams = new Map<string, number>();
  for (const name of NAMES) {
    const player = await makePlayer(t, { date_of_birth: '1990-01-01' });
    teams.set(name, (await makeTeam(t, league, [player], { name: `${name} ${league.id}` })).id);
    players.set(name, player);
  }
  await generateSchedule(t, league, { weeks: 6 });
  for (const [at, name] of NAMES.entries())
    await makeGames(t, machine, players.get(name) as never, [{ score: 100 * (at + 1) }]);
  const { code, secret } = (await t.call('POST', '/api/screen/pair/', { body: {} })).body;
  await t.call('POST', '/api/operator/screens/', { as: key, body: { code, venue } });
  const { token } = (await t.call('POST', '/api/screen/claim/', { body: { secret } })).body;
  const short = (name: string) => name.slice(0, 1);
  const opponentOf = async (name: string) => {
    const { rows } = await sql<{ name: string }>`
      select o.name from matchup_sides m join teams o on o.id = m.opponent_id
      where m.team_id = ${teams.get(name)} and m.week = ${monday}::date`.execute(t.db);
    return short(rows[0]?.name ?? '');
  };
  const screen = async () => {
    const { leagues } = (await t.call('GET', '/api/screen/', { as: { key: token } }))
      .body as ScreenAnswer;
    return leagues.find(({ name }) => name === league.name);
  };
  return {
    league,
    monday,
    opponentOf,
    withdraw: (name: string, now = true) =>
      t.call('POST', '/api/operator/teams/withdraw/', {
        as: key,
        body: { team: `id:${teams.get(name)}`, reason: 'Moved away', now },
      }),
    rule: (name: string, ruling: string) =>
      t.call('POST', '/api/operator/leagues/ruling/', {
        as: key,
        body: {
          league: `id:${league.id}`,
          week: monday,
          team: `id:${teams.get(name)}`,
          ruling,
          reason: 'Why',
        },
      }),
    /** Each team of the running week, on the television and on Tonight: its opponent and ruling. */
    shown: async () => {
      const pairs = (matchups: TonightLeague['matchups']) =>
        Object.fromEntries(
          matchups.flatMap(({ home, away, ruling }) => [
            [short(home.team), [away && short(away.team), ruling && ruling === 'home']],
            ...(away ? [[short(away.team), [short(home.team), ruling && ruling === 'away']]] : []),
          ]),
        );
      const page = await t.call('GET', `/api/operator/leagues/page/?league=id:${league.id}`, {
        as: key,
      });
      const onScreen = pairs((await screen())?.matchups as never);
      expect(pairs(page.body.now.matchups)).toEqual(onScreen);
      return onScreen;
    },
    next: async () => {
      t.clock.advance(4 * DAY);
      const next = (await screen())?.next?.matchups ?? [];
      t.clock.advance(-4 * DAY);
      return next.map(({ home, away, ruling }) => [short(home), away && short(away), ruling]);
    },
    stats: async (name: string) =>
      (
        await t.call('GET', '/api/leaderboards/user-league-stats/', {
          as: await makeSession(t, players.get(name) as never),
        })
      ).body as LeagueStats,
  };
}

test('SEASON-35: a team with an annulled matchup is not shown, and its opponent has no matchup that week', async () => {
  const { withdraw, opponentOf, shown, next, stats } = await running(2);
  const left = await opponentOf('A');
  expect((await stats(left)).opponent).not.toBeNull();
  expect((await withdraw('A')).status).toBe(200);
  const week = await shown();
  expect(Object.keys(week).sort()).toEqual(NAMES.filter((name) => name !== 'A'));
  expect(week[left]).toEqual([null, undefined]);
  expect((await stats(left)).opponent).toBeNull();
  expect((await stats('A')).opponent).toBeNull();
  const coming = await next();
  expect(coming.flat()).not.toContain('A');
  expect(coming.filter(([, away]) => away === null)).toHaveLength(1);
});

test('SEASON-35: a team that withdraws from next Monday has no matchup this week if all its matchups are annulled', async () => {
  const { withdraw, opponentOf, shown } = await running(2);
  const left = await opponentOf('A');
  await withdraw('A', false);
  expect(await shown()).not.toHaveProperty('A');
  expect((await shown())[left]).toEqual([null, undefined]);
});

test('SEASON-35: if a team withdraws late, its later matchups are forfeits', async () => {
  const { withdraw, opponentOf, shown, next, stats } = await running(4);
  const left = await opponentOf('A');
  expect((await stats(left)).opponent).toMatchObject({ total_score: 100 });
  await withdraw('A');
  // A’s games in the week of its withdrawal no longer count, as on the television.
  expect((await stats(left)).opponent).toMatchObject({ total_score: 0 });
  const week = await shown();
  expect([week[left], week.A]).toEqual([
    ['A', true],
    [left, false],
  ]);
  const forfeits = (await next()).filter(([home, away]) => home === 'A' || away === 'A');
  expect(forfeits).toEqual([
    forfeits[0]?.[0] === 'A' ? ['A', forfeits[0][1], 'away'] : [forfeits[0]?.[0], 'A', 'home'],
  ]);
});

test('SEASON-30: a ruling on the running week is shown', async () => {
  const { rule, opponentOf, shown } = await running(2);
  const other = await opponentOf('D');
  expect((await rule('D', 'annulled')).status).toBe(200);
  expect((await shown()).D).toEqual([other, false]);
});

test('a week’s matchups and the season’s table agree on who won', async () => {
  const { league, monday, withdraw, rule } = await running(4);
  await withdraw('A');
  await rule('C', 'both_lose');
  const season = (await readSeasons(t.db, league.id))[0] as never;
  const facts = await readFacts(t.db, season);
  const { rows } = await sql<{ team_id: number; week: string; ruling: string | null }>`
    select s.team_id, s.week, s.ruling from ${SIDES} s
    where s.league_id = ${league.id} and s.home order by s.team_id, s.week`.execute(t.db);
  expect(rows.some(({ week, ruling }) => week === monday && ruling !== null)).toBe(true);
  for (const { team_id, week, ruling } of rows) {
    const side = facts.sides.find((one) => one.team_id === team_id && one.week === week);
    expect(decisionOn(facts, side as never)?.ruling ?? null).toBe(ruling);
  }
});
