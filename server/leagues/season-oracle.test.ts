import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Meeting, type PlayerWeek, type SeasonGame, seasonAwards } from './season-awards.ts';
import {
  byLot,
  type Decided,
  type Entry,
  seasonTable,
  sharedPlaces,
  type TieBreak,
} from './season-table.ts';

/*
 * A second implementation of the table and the awards, written from the sentences of SEASON-10 to 17
 * and AWARD-01 to 08 without sight of the first. It takes the best teams off the top again and
 * again, and never sorts.
 */

type Value = readonly number[];
/** A row as the oracle sees it: teams that stay equal share a row. */
type Level = { teams: number[]; by: string | null };

function isMore(a: Value, b: Value): boolean {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const [one, other] = [a[at] ?? 0, b[at] ?? 0];
    if (one !== other) return one > other;
  }
  return false;
}

const isSame = (a: Value, b: Value) => !isMore(a, b) && !isMore(b, a);

/** Splits `group` into those with the same value, the highest value first. */
function split(group: readonly number[], scoreOf: (team: number) => Value): number[][] {
  const parts: number[][] = [];
  let left = [...group];
  while (left.length > 0) {
    const best = left.reduce((a, b) => (isMore(scoreOf(b), scoreOf(a)) ? b : a));
    parts.push(left.filter((team) => isSame(scoreOf(team), scoreOf(best))));
    left = left.filter((team) => !isSame(scoreOf(team), scoreOf(best)));
  }
  return parts;
}

const isOf = ({ home, away }: Decided, a: number, b: number) =>
  (home === a && away === b) || (home === b && away === a);
const isWonBy = ({ home, away, winner }: Decided, team: number) =>
  (home === team && winner === 'home') || (away === team && winner === 'away');

/** The value of head-to-head in a group; null where it does not apply (SEASON-12). */
function headToHead(
  group: readonly number[],
  decided: readonly Decided[],
): ((team: number) => Value) | null {
  const meetings = new Set<number>();
  for (const one of group)
    for (const other of group)
      if (one < other) meetings.add(decided.filter((match) => isOf(match, one, other)).length);
  if (meetings.size !== 1 || meetings.has(0)) return null;
  const among = decided.filter(({ home, away }) => group.includes(home) && group.includes(away));
  return (team) => {
    const own = among.filter(({ home, away }) => home === team || away === team);
    const gained = own.map(({ home, home_total, away_total }) =>
      home === team ? home_total - away_total : away_total - home_total,
    );
    return [
      own.filter((match) => isWonBy(match, team)).length,
      gained.reduce((sum, one) => sum + one, 0),
    ];
  };
}

function oracle(
  entries: readonly Entry[],
  decided: readonly Decided[],
  tieBreak: TieBreak,
): Level[] {
  const weeksOf = (team: number) => entries.find(({ team_id }) => team_id === team)?.weeks ?? [];
  const total = (team: number) => [weeksOf(team).reduce((sum, one) => sum + one, 0)];
  const won = (team: number) => [decided.filter((match) => isWonBy(match, team)).length];
  const bestWeeks = (team: number): Value => {
    const left = [...weeksOf(team)];
    const ordered: number[] = [];
    while (left.length > 0) ordered.push(...left.splice(left.indexOf(Math.max(...left)), 1));
    return ordered;
  };
  const order =
    tieBreak === 'total'
      ? ['wins', 'total', 'head_to_head', 'best_week']
      : ['wins', 'head_to_head', 'total', 'best_week'];
  const settle = (group: number[], by: string | null, step: number): Level[] => {
    const criterion = order[step];
    if (group.length === 1 || criterion === undefined) return [{ teams: group, by }];
    const scoreOf = {
      wins: won,
      total,
      head_to_head: headToHead(group, decided),
      best_week: bestWeeks,
    }[criterion];
    const parts = scoreOf ? split(group, scoreOf) : [group];
    if (parts.length === 1) return settle(group, by, step + 1);
    // Head-to-head is tried again in what is left of a group that it divided.
    const next = criterion === 'head_to_head' ? step : step + 1;
    return parts.flatMap((part, at) => settle(part, at === 0 ? by : criterion, next));
  };
  const standing = entries.filter(({ withdrawn }) => !withdrawn).map(({ team_id }) => team_id);
  return standing.length === 0 ? [] : settle(standing, null, 0);
}

type League = { entries: Entry[]; decided: Decided[]; tieBreak: TieBreak };

/** Small totals, so that many teams are equal. */
const leagues: fc.Arbitrary<League> = fc
  .record({
    teams: fc.integer({ min: 1, max: 8 }),
    weeks: fc.integer({ min: 0, max: 12 }),
    most: fc.constantFrom(1, 2, 4, 20),
    tieBreak: fc.constantFrom<TieBreak>('total', 'head_to_head'),
    luck: fc.infiniteStream(fc.nat({ max: 1_000_000 })),
  })
  .map(({ teams, weeks, most, tieBreak, luck }) => {
    const draw = (below: number) => Number(luck.next().value) % below;
    const totals = Array.from({ length: teams }, () =>
      Array.from({ length: weeks }, () => draw(most + 1)),
    );
    const from = totals.map(() => (draw(4) === 0 && weeks > 0 ? draw(weeks) : 0));
    const decided: Decided[] = [];
    for (let week = 0; week < weeks; week += 1) {
      const seats = totals.map((_, team) => team);
      // A postponed or annulled week decides nothing.
      const isOff = draw(8) === 0;
      while (seats.length > 1) {
        const home = seats.splice(draw(seats.length), 1)[0] ?? 0;
        const away = seats.splice(draw(seats.length), 1)[0] ?? 0;
        if (isOff || draw(10) === 0 || week < (from[home] ?? 0) || week < (from[away] ?? 0))
          continue;
        const [home_total, away_total] = [totals[home]?.[week] ?? 0, totals[away]?.[week] ?? 0];
        const played =
          home_total === away_total ? 'draw' : home_total > away_total ? 'home' : 'away';
        const winner = draw(6) === 0 ? (['home', 'away', 'nobody'] as const)[draw(3)] : played;
        decided.push({ home, away, home_total, away_total, winner: winner ?? played });
      }
    }
    const entries = totals.map((weekly, team) => ({
      team_id: team,
      name: `Team ${String.fromCharCode(65 + ((team * 5) % 8))}`,
      withdrawn: draw(10) === 0,
      weeks: weekly.slice(from[team]),
    }));
    return { entries, decided, tieBreak };
  });

const RUNS = 20_000;
const shuffled = <T>(items: readonly T[], seed: number): T[] => {
  const left = [...items];
  const out: T[] = [];
  for (let at = seed; left.length > 0; at = (at * 7 + 3) % 1_000_003)
    out.push(...left.splice(at % left.length, 1));
  return out;
};

test('SEASON-10 to 17: the table is that of a second implementation', { timeout: 240_000 }, () => {
  fc.assert(
    fc.property(leagues, fc.nat(), ({ entries, decided, tieBreak }, seed) => {
      const rows = seasonTable(entries, decided, tieBreak);
      const places = sharedPlaces(rows);
      const standing = rows.filter(({ withdrawn }) => !withdrawn);
      // SEASON-17: withdrawn teams stand last.
      expect(rows.slice(standing.length).every(({ withdrawn }) => withdrawn)).toBe(true);
      let at = 0;
      for (const { teams, by } of oracle(entries, decided, tieBreak)) {
        const here = standing.slice(at, at + teams.length);
        expect(new Set(here.map(({ team_id }) => team_id))).toEqual(new Set(teams));
        expect(here[0]?.by ?? null).toBe(by);
        // SEASON-14: equal teams share the place, in order of name.
        for (const [next, row] of here.entries()) {
          expect(places[at + next]).toBe(at + 1);
          const above = next === 0 ? undefined : here[next - 1];
          if (above) expect([row.by, above.name.localeCompare(row.name) < 1]).toEqual([null, true]);
        }
        at += teams.length;
      }
      expect(at).toBe(standing.length);
      expect(
        seasonTable(shuffled(entries, seed), shuffled(decided, seed), tieBreak).filter(
          ({ withdrawn }) => !withdrawn,
        ),
      ).toEqual(standing);
      const sum = (of: 'won' | 'drawn' | 'lost') => rows.reduce((all, row) => all + row[of], 0);
      expect(sum('won') + sum('drawn') + sum('lost')).toBe(decided.length * 2);
      expect(sum('drawn')).toBe(decided.filter(({ winner }) => winner === 'draw').length * 2);
    }),
    { numRuns: RUNS },
  );
});

/** The order of version 0.2: wins, then the season's total, then the name. */
const orderOf02 = (rows: ReturnType<typeof seasonTable>) =>
  rows.toSorted(
    (a, b) =>
      b.won - a.won || b.total - a.total || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1),
  );

test('SEASON-11: without teams that are level on wins and total, the order is that of 0.2', () => {
  fc.assert(
    fc.property(leagues, ({ entries, decided }) => {
      const rows = seasonTable(
        entries.map((entry) => ({ ...entry, withdrawn: false })),
        decided,
        'total',
      );
      if (new Set(rows.map(({ won, total }) => `${won} ${total}`)).size < rows.length) return;
      expect(orderOf02(rows)).toEqual(rows);
    }),
    { numRuns: 2_000 },
  );
});

test('SEASON-30: a loss that becomes a forfeit win never lowers the winner', () => {
  fc.assert(
    fc.property(leagues, fc.nat(), ({ entries, decided, tieBreak }, pick) => {
      const lost = decided.filter(({ winner }) => winner === 'away');
      const one = lost[pick % Math.max(1, lost.length)];
      if (one === undefined) return;
      const placeOf = (table: ReturnType<typeof seasonTable>) =>
        table.findIndex(({ team_id }) => team_id === one.home);
      const after = decided.map((match) =>
        match === one ? { ...match, winner: 'home' as const } : match,
      );
      expect(placeOf(seasonTable(entries, after, tieBreak))).toBeLessThanOrEqual(
        placeOf(seasonTable(entries, decided, tieBreak)),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('SEASON-15: the lot is the order of the hashes, and nobody can repeat it', () => {
  const uuid = '0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11';
  const hash = (id: number) => createHash('sha256').update(`${uuid}:${id}`).digest('hex');
  const ids = Array.from({ length: 30 }, (_, at) => at + 1);
  const lots = byLot(uuid, ids).map(hash);
  expect(lots.every((lot, at) => at === 0 || (lots[at - 1] ?? '') < lot)).toBe(true);
  expect(byLot(uuid, ids.toReversed())).toEqual(byLot(uuid, ids));
});

// --- Awards -------------------------------------------------------------------------------------

/** Half up, to one decimal. */
const oneDecimal = (numerator: number, denominator: number) =>
  Math.floor((20 * numerator + denominator) / (2 * denominator)) / 10;

type Found = { value: number; players: Set<number> };
/** The highest of `values`, and who has it; undefined if nobody has one. */
function highest(values: Map<number, number>): Found | undefined {
  if (values.size === 0) return undefined;
  const value = Math.max(...values.values());
  const players = [...values].filter(([, one]) => one === value).map(([player]) => player);
  return { value, players: new Set(players) };
}

function awardsBySentence(
  weeks: readonly PlayerWeek[],
  n: number,
): Record<string, Found | undefined> {
  const players = [...new Set(weeks.map(({ player_id }) => player_id))];
  const scoreOf = (formula: (own: PlayerWeek[]) => number | null) =>
    highest(
      new Map(
        players.flatMap((player): [number, number][] => {
          const value = formula(weeks.filter(({ player_id }) => player_id === player));
          return value === null ? [] : [[player, value]];
        }),
      ),
    );
  const games = (own: PlayerWeek[]) => own.reduce((all, one) => all + one.games, 0);
  const points = (own: PlayerWeek[]) => own.reduce((all, one) => all + one.score_sum, 0);
  const h = Math.floor(n / 2);
  return {
    best_week: scoreOf((own) => Math.max(...own.map(({ total }) => total))),
    best_average: scoreOf((own) =>
      games(own) < 4 * n ? null : oneDecimal(points(own), games(own)),
    ),
    most_games: scoreOf((own) => (games(own) < n ? null : games(own))),
    most_improved: scoreOf((own) => {
      const first = own.filter(({ week }) => week <= h);
      const last = own.filter(({ week }) => week > n - h);
      if (n < 4 || games(first) < 6 || games(last) < 6) return null;
      const gain = oneDecimal(
        points(last) * games(first) - points(first) * games(last),
        games(first) * games(last),
      );
      return gain > 0 ? gain : null;
    }),
    carried: scoreOf((own) => {
      const top = own.filter(
        ({ team_id, week, total }) =>
          total > 0 &&
          weeks.every((one) => one.team_id !== team_id || one.week !== week || one.total <= total),
      );
      return top.length === 0 ? null : top.length;
    }),
  };
}

const seasons = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    players: fc.integer({ min: 1, max: 6 }),
    most: fc.constantFrom(1, 3, 50),
    luck: fc.infiniteStream(fc.nat({ max: 1_000_000 })),
  })
  .map(({ n, players, most, luck }) => {
    const draw = (below: number) => Number(luck.next().value) % below;
    const weeks: PlayerWeek[] = [];
    const played: SeasonGame[] = [];
    for (let player_id = 1; player_id <= players; player_id += 1) {
      let team_id = 1 + draw(2);
      for (let week = 1; week <= n; week += 1) {
        if (draw(9) === 0) team_id = 3 - team_id;
        const scores = Array.from({ length: draw(9) }, () => 1 + draw(most));
        if (scores.length === 0) continue;
        const best = scores.toSorted((a, b) => b - a).slice(0, 4);
        const sum = (of: number[]) => of.reduce((all, one) => all + one, 0);
        weeks.push({
          player_id,
          team_id,
          week,
          games: scores.length,
          score_sum: sum(scores),
          total: sum(best),
        });
        played.push(...scores.map((score) => ({ player_id, team_id, week, score })));
      }
    }
    const teamTotal = (team: number, week: number) =>
      weeks.reduce(
        (all, one) => (one.team_id === team && one.week === week ? all + one.total : all),
        0,
      );
    const meetings: Meeting[] = Array.from({ length: n }, (_, at) => ({
      week: at + 1,
      home: 1,
      away: 2,
      home_total: teamTotal(1, at + 1),
      away_total: teamTotal(2, at + 1),
      ruled: draw(5) === 0,
    }));
    return { n, weeks, played, meetings, teamTotal };
  });

test('AWARD-01 to 08: the awards are those of the formulas', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(seasons, ({ n, weeks, played, meetings, teamTotal }) => {
      const awards = seasonAwards(weeks, played, meetings, n);
      const of = (key: string) => awards.find((award) => award.key === key);
      const wanted = awardsBySentence(weeks, n);
      const scores = played.map(({ score }) => score);
      const best = Math.max(...scores);
      wanted.best_game =
        scores.length === 0
          ? undefined
          : {
              value: best,
              players: new Set(
                played.filter(({ score }) => score === best).map(({ player_id }) => player_id),
              ),
            };
      for (const [key, found] of Object.entries(wanted))
        expect([
          key,
          of(key)?.value,
          new Set(of(key)?.winners.map(({ player_id }) => player_id)),
        ]).toEqual([key, found?.value, found?.players ?? new Set()]);
      if (weeks.length > 0) {
        const totals = weeks.map(({ team_id, week }) => teamTotal(team_id, week));
        expect(of('best_team_week')?.value).toBe(Math.max(...totals));
      }
      const fair = meetings.filter((one) => !one.ruled && one.home_total > 0 && one.away_total > 0);
      const gap = (one: Meeting) => Math.abs(one.home_total - one.away_total);
      const least = Math.min(...fair.map(gap));
      expect(of('closest')?.value).toBe(fair.length === 0 ? undefined : least);
      if (fair.length > 0)
        expect(of('closest')?.winners[0]?.week).toBe(fair.find((one) => gap(one) === least)?.week);
    }),
    { numRuns: 5_000 },
  );
});
