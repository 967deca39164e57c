import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { makeLeague, makeMachine, makePlayer, makeTeam, setLeagueMode } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { findNamed } from '../db/reference.ts';
import { weekOf } from '../leagues/calendar.ts';
import { TEAMS } from '../leagues/leagues.ts';
import { addToTeam, removeFromTeam } from '../leagues/rosters.ts';
import { recordReport } from '../machines/report.ts';
import { discardGame, releaseGame, restoreGame, voidGame } from './corrections.ts';
import { rebuild } from './rebuild.ts';

const t = withApp();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

// --- Random histories: reports, corrections and moves, some of them concurrent ---

const who = fc.nat(4);
const report = fc.record({
  kind: fc.constant('report' as const),
  machine: fc.nat(2),
  games: fc.array(
    fc.record({
      player: who,
      score: fc.oneof({ arbitrary: fc.nat(20), weight: 8 }, fc.integer({ min: 9990, max: 10_010 })),
      minutesAgo: fc.oneof(fc.nat(90), fc.nat(5 * 24 * 60)),
      repeat: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  ),
});
const correct = fc.record({
  kind: fc.constant('correct' as const),
  how: fc.constantFrom(voidGame, restoreGame, releaseGame, discardGame),
  which: fc.nat(),
});
const toggle = fc.record({ kind: fc.constant('toggle' as const), player: who, on: fc.boolean() });
const transfer = fc.record({
  kind: fc.constant('transfer' as const),
  player: who,
  team: fc.option(fc.nat(2)),
});
const zone = fc.record({
  kind: fc.constant('zone' as const),
  venue: fc.constantFrom('Dockside', 'Station'),
  timezone: fc.constantFrom('UTC', 'Pacific/Auckland', 'America/Los_Angeles'),
});
const leave = fc.record({ kind: fc.constant('leave' as const), player: who });
const step = fc.oneof(
  { arbitrary: report, weight: 8 },
  { arbitrary: correct, weight: 6 },
  { arbitrary: toggle, weight: 2 },
  { arbitrary: transfer, weight: 2 },
  { arbitrary: leave, weight: 1 },
  { arbitrary: zone, weight: 1 },
);
const storm = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 4 }), hours: fc.nat(30) }),
  { minLength: 4, maxLength: 12 },
);

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
type Step = Of<typeof step>;
type Report = Of<typeof report>;

async function play(gusts: Of<typeof storm>): Promise<void> {
  const machines = await Promise.all([
    makeMachine(t, { venue: 'Dockside' }),
    makeMachine(t, { venue: 'Station' }),
    makeMachine(t),
  ]);
  const players = await Promise.all(Array.from({ length: 5 }, () => makePlayer(t)));
  const leagues = [
    await makeLeague(t, { timezone: 'America/New_York' }),
    await makeLeague(t, { timezone: 'Pacific/Auckland' }),
  ] as const;
  const teams = [
    await makeTeam(t, leagues[0], players.slice(0, 2)),
    await makeTeam(t, leagues[0], players.slice(2, 4)),
    await makeTeam(t, leagues[1]),
  ];
  const sent: { machine: (typeof machines)[number]; game: { id: string } }[] = [];

  async function sendReport({ machine: at, games }: Report): Promise<void> {
    const machine = machines[at];
    if (machine === undefined) return;
    const items = games.map(({ player, score, minutesAgo, repeat }) => {
      const earlier = sent.findLast((one) => one.machine === machine);
      if (repeat && earlier !== undefined) return earlier.game;
      const game = {
        id: crypto.randomUUID() as string,
        player: players[player]?.uuid,
        score,
        played_at: new Date(t.clock.now().getTime() - minutesAgo * MINUTE).toISOString(),
      };
      sent.push({ machine, game });
      return game;
    });
    await recordReport(t, machine, items);
  }

  async function putOnTeam(player: { id: number; email: string }, at: number | null) {
    const team = at === null ? undefined : teams[at];
    if (team !== undefined) return addToTeam(t, team, [player.email]);
    const [now] = await rowOf(player);
    if (now?.team_id == null) return;
    return removeFromTeam(t, await findNamed(t.db, TEAMS, String(now.team_id)), player.email);
  }

  async function take(one: Step): Promise<unknown> {
    if (one.kind === 'report') return sendReport(one);
    if (one.kind === 'correct') {
      const game = sent[one.which % Math.max(sent.length, 1)]?.game;
      const { rows } = await sql<{ seq: number }>`
        select seq from games where id = ${game?.id}`.execute(t.db);
      // The game may not be stored yet.
      return one.how(t, rows[0]?.seq ?? 0).catch(expectRefusal);
    }
    if (one.kind === 'zone') {
      const { venue, timezone } = one;
      return t.call('POST', '/api/operator/venues/change/', {
        body: { venue, timezone },
        as: { key: OPERATOR_KEY },
      });
    }
    const player = players[one.player];
    if (player === undefined) return;
    if (one.kind === 'leave')
      return t.db.deleteFrom('players').where('id', '=', player.id).execute();
    if (one.kind === 'transfer') return putOnTeam(player, one.team).catch(expectRefusal);
    if ((await rowOf(player)).length > 0) return setLeagueMode(t, player, one.on);
  }

  for (const { steps, hours } of gusts) {
    await Promise.all(steps.map(take));
    t.clock.advance(hours * HOUR);
  }
}

const rowOf = ({ id }: { id: number }) =>
  t.db.selectFrom('players').select('team_id').where('id', '=', id).execute();

function expectRefusal(error: unknown): void {
  expect(error).toMatchObject({ status: expect.toBeOneOf([400, 404, 409]) });
}

// --- A second, slow implementation of everything that is derived ---

type Game = Awaited<ReturnType<typeof countedGames>>[number];

const countedGames = () =>
  t.db
    .selectFrom('games')
    .innerJoin('machines', 'machines.id', 'games.machine_id')
    .leftJoin('venues', 'venues.id', 'machines.venue_id')
    .selectAll('games')
    .select(['machines.venue_id', 'venues.timezone'])
    .where('state', '=', 'counted')
    .orderBy('seq')
    .execute();

const inOrderOfPlay = (a: Game, b: Game) =>
  a.played_at.getTime() - b.played_at.getTime() || (a.id < b.id ? -1 : 1);
const sum = (games: Game[]) => games.reduce((total, { score }) => total + score, 0);
const best = (games: Game[]) => Math.max(...games.map(({ score }) => score));

const statistics = (games: Game[], alive: Set<number>) =>
  [...Map.groupBy(games, ({ player_id }) => player_id)]
    .filter(([player_id]) => alive.has(player_id))
    .map(([player_id, own]) => ({
      player_id,
      games_played: own.length,
      highscore: best(own),
      score_sum: sum(own),
    }));

function leagueWeeks(games: Game[]) {
  const weeks = Map.groupBy(
    games.filter(({ week }) => week !== null),
    ({ player_id, week }) => `${player_id} ${week}`,
  );
  return [...weeks.values()].flatMap((own) => {
    const first8 = own.toSorted(inOrderOfPlay).slice(0, 8);
    return [...Map.groupBy(first8, ({ team_id }) => team_id)].map(([team_id, counted]) => {
      const scores = counted.map(({ score }) => score).sort((a, b) => b - a);
      return {
        team_id,
        week: counted[0]?.week,
        player_id: counted[0]?.player_id,
        games_played: scores.length,
        score_sum: sum(counted),
        total: scores.slice(0, 4).reduce((total, one) => total + one, 0),
        fourth_best: scores[3] ?? null,
        best: scores[0],
        best_sum: sum(counted),
      };
    });
  });
}

function highScores(games: Game[], alive: Set<number>) {
  const boards = games
    .filter(({ player_id }) => alive.has(player_id))
    .flatMap((game) =>
      [
        { venue_id: 0, timezone: 'UTC' },
        { venue_id: game.venue_id, timezone: game.timezone },
      ].flatMap(({ venue_id, timezone }) => {
        if (venue_id === null || timezone === null) return [];
        const week = weekOf(game.played_at, timezone);
        const isOver = week < weekOf(t.clock.now(), timezone);
        return ['-infinity', ...(isOver ? [] : [week])].map((of) => ({
          ...game,
          venue_id,
          week: of,
        }));
      }),
    );
  return [
    ...Map.groupBy(boards, ({ player_id, venue_id, week }) => `${player_id} ${venue_id} ${week}`),
  ].map(([, own]) => ({
    venue_id: own[0]?.venue_id,
    week: own[0]?.week,
    player_id: own[0]?.player_id,
    score: best(own),
  }));
}

async function storedBests() {
  const { rows } = await sql<{ venue_id: number; week: string; timezone: string | null }>`
    select b.*, v.timezone from bests b left join venues v on v.id = b.venue_id`.execute(t.db);
  return rows
    .filter(({ week, timezone }) => {
      return week === '-infinity' || week >= weekOf(t.clock.now(), timezone ?? 'UTC');
    })
    .map(({ timezone, ...row }) => row);
}

async function wrongCounts() {
  const { rows } = await sql`
    with counted as (
      select venue_id, week, score, count(*) as players from bests group by 1, 2, 3
    )
    select * from counted full join best_counts c using (venue_id, week, score)
    where coalesce(counted.players, 0) <> coalesce(c.players, 0)`.execute(t.db);
  return rows;
}

/** The achievements whose conditions `game` meets. `known`: the games recorded up to it. */
function reached(game: Game, known: Game[]): string[] {
  const before = known.filter(({ seq }) => seq < game.seq);
  const played = known.toSorted(inOrderOfPlay);
  const at = played.indexOf(game);
  const isBetter = (place: number) => (played[place]?.score ?? 0) > (played[place - 1]?.score ?? 0);
  let steps = 0;
  for (let place = at; place > 0 && isBetter(place); place -= 1) steps += 1;
  for (let place = at + 1; place < played.length && isBetter(place); place += 1) steps += 1;
  const days = new Set(known.map(({ day }) => Date.parse(day) / 86_400_000));
  const today = Date.parse(game.day) / 86_400_000;
  const hasFive = [0, 1, 2, 3, 4].some((back) =>
    [0, 1, 2, 3, 4].every((on) => days.has(today - back + on)),
  );
  const week = game.week === null ? 0 : known.filter((one) => one.week === game.week).length;
  return [
    ...(known.length >= 1 ? ['first-game'] : []),
    ...(known.length >= 10 ? ['games-10'] : []),
    ...(known.length >= 50 ? ['games-50'] : []),
    ...(known.length >= 100 ? ['games-100'] : []),
    ...(before.length > 0 && game.score > best(before) ? ['personal-best'] : []),
    ...(steps >= 3 ? ['three-better'] : []),
    ...(hasFive ? ['five-days'] : []),
    ...(week >= 1 ? ['first-league-game'] : []),
    ...(week >= 4 ? ['four-counted'] : []),
    ...(week >= 8 ? ['all-eight'] : []),
  ];
}

function achievements(games: Game[], alive: Set<number>) {
  return [...Map.groupBy(games, ({ player_id }) => player_id)]
    .filter(([player_id]) => alive.has(player_id))
    .flatMap(([player_id, own]) => {
      const won = new Map<string, Game>();
      for (const [at, game] of own.entries())
        for (const key of reached(game, own.slice(0, at + 1)))
          if (!won.has(key)) won.set(key, game);
      return [...won].map(([key, { played_at, machine_id, id }]) => ({
        player_id,
        key,
        unlocked_at: played_at,
        machine_id,
        game_id: id,
      }));
    });
}

const sorted = (rows: object[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

async function expectConsistent(): Promise<void> {
  const games = await countedGames();
  const alive = new Set(
    (await t.db.selectFrom('players').select('id').execute()).map(({ id }) => id),
  );
  const stored = async (table: string) =>
    sorted((await sql<object>`select * from ${sql.table(table)}`.execute(t.db)).rows);
  expect(await stored('player_stats')).toEqual(sorted(statistics(games, alive)));
  expect(await stored('league_weeks')).toEqual(sorted(leagueWeeks(games)));
  expect(sorted(await storedBests())).toEqual(sorted(highScores(games, alive)));
  expect(await wrongCounts()).toEqual([]);
  expect(await stored('player_achievements')).toEqual(sorted(achievements(games, alive)));
}

test('GAME-03: after any history every figure equals a recount, and a rebuild changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(storm, async (gusts) => {
      await play(gusts);
      await expectConsistent();
      expect((await rebuild(t)).changed).toEqual({
        statistics: 0,
        high_scores: 0,
        league_weeks: 0,
        achievements: 0,
      });
    }),
    // No shrinking: earlier games stay in the database, so a run cannot be repeated.
    { numRuns: 10, endOnFailure: true },
  );
  const [states] = (
    await sql<{ counted: number; held: number; void: number; league: number }>`
      select count(*) filter (where state = 'counted') as counted,
        count(*) filter (where state = 'held') as held,
        count(*) filter (where state = 'void') as void,
        count(week) as league from games`.execute(t.db)
  ).rows;
  expect(states?.counted).toBeGreaterThan(50);
  expect(states?.league).toBeGreaterThan(20);
  expect(states?.held).toBeGreaterThan(0);
});

test('a rebuild fixes every wrong row and dates each achievement by its game', async () => {
  await play(fc.sample(storm, { seed: 7, numRuns: 3 }).flat());
  await expectConsistent();
  await sql`update player_stats set highscore = highscore, score_sum = score_sum + 1`.execute(t.db);
  await sql`delete from player_achievements where key in ('first-game', 'games-10')`.execute(t.db);
  await sql`update player_achievements set unlocked_at = now()`.execute(t.db);
  await sql`delete from league_weeks where games_played > 1`.execute(t.db);
  await sql`update bests set score = score + 1 where week = '-infinity'`.execute(t.db);
  await sql`delete from best_counts where score % 2 = 0 and week = '-infinity'`.execute(t.db);
  const progress: [number, number][] = [];
  const { changed, players, games } = await rebuild(t, (done, total) =>
    progress.push([done, total]),
  );
  for (const rows of Object.values(changed)) expect(rows).toBeGreaterThan(0);
  expect(games).toBe((await countedGames()).length);
  expect(progress.at(-1)).toEqual([players, players]);
  await expectConsistent();
});

test('a rebuild during reports loses no game', async () => {
  const machine = await makeMachine(t);
  const players = await Promise.all(Array.from({ length: 30 }, () => makePlayer(t)));
  const league = await makeLeague(t);
  await makeTeam(t, league, players);
  const report = (hour: number) =>
    players.map(({ uuid }, at) => ({
      id: crypto.randomUUID(),
      player: uuid,
      score: at,
      played_at: new Date(t.clock.now().getTime() - hour * HOUR).toISOString(),
    }));
  await Promise.all([
    ...Array.from({ length: 12 }, (_, hour) => recordReport(t, machine, report(hour))),
    rebuild(t),
    rebuild(t),
  ]);
  await expectConsistent();
});

test('many concurrent players with equal scores cause no deadlock and leave the counts exact', async () => {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(t.db);
  const players = await Promise.all(Array.from({ length: 24 }, () => makePlayer(t)));
  const machines = await Promise.all(
    players.map((_, at) => makeMachine(t, { venue: at % 2 === 0 ? 'Dockside' : 'Station' })),
  );
  for (let round = 0; round < 6; round += 1) {
    t.clock.advance(5 * MINUTE);
    await Promise.all([
      ...machines.map((machine, at) =>
        recordReport(
          t,
          machine,
          // Each machine reports two of a round's three scores: all transactions change the same
          // counts, in different orders.
          [players[at], players[(at + 7) % players.length]].map((player, n) => ({
            id: crypto.randomUUID(),
            player: player?.uuid,
            score: 10 * round + ((at + n) % 3),
            played_at: new Date(t.clock.now().getTime() - n * 2 * MINUTE).toISOString(),
          })),
        ),
      ),
      ...players
        .slice(4 * round, 4 * round + 1)
        .map(({ id }) => t.db.deleteFrom('players').where('id', '=', id).execute()),
    ]);
  }
  await expectConsistent();
  await sql`select pg_stat_force_next_flush()`.execute(t.db);
  const after = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(t.db);
  expect(after.rows).toEqual(rows);
});
