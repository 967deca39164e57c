import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { awardsBySentence, tableBySentence } from '#testing/app/season-oracle.ts';
import { type Meeting, type PlayerWeek, type SeasonGame, seasonAwards } from './season-awards.ts';
import {
  byLot,
  type Decided,
  type Entry,
  seasonTable,
  sharedPlaces,
  type TieBreak,
} from './season-table.ts';

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

test('SEASON-10, SEASON-11, SEASON-12, SEASON-13, SEASON-14, SEASON-16, SEASON-17: the table equals that of a second implementation', {
  timeout: 240_000,
}, () => {
  fc.assert(
    fc.property(leagues, fc.nat(), ({ entries, decided, tieBreak }, seed) => {
      const rows = seasonTable(entries, decided, tieBreak);
      const places = sharedPlaces(rows);
      const standing = rows.filter(({ withdrawn }) => !withdrawn);
      // SEASON-17: withdrawn teams come last.
      expect(rows.slice(standing.length).every(({ withdrawn }) => withdrawn)).toBe(true);
      let at = 0;
      for (const { teams, by } of tableBySentence(entries, decided, tieBreak)) {
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

test('SEASON-11: if no two teams are level on wins and total, the order is that of version 0.2', () => {
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

test('SEASON-30: a ruling that turns a loss into a forfeit win never lowers that team’s place', () => {
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

test('SEASON-15, P105: the lot sorts teams by their hashes, and a second draw gives the same order', () => {
  const uuid = '0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11';
  const hash = (id: number) => createHash('sha256').update(`${uuid}:${id}`).digest('hex');
  const ids = Array.from({ length: 30 }, (_, at) => at + 1);
  const lots = byLot(uuid, ids).map(hash);
  expect(lots.every((lot, at) => at === 0 || (lots[at - 1] ?? '') < lot)).toBe(true);
  expect(byLot(uuid, ids.toReversed())).toEqual(byLot(uuid, ids));
});

// --- Awards -------------------------------------------------------------------------------------

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
        const scores = Array.from({ length: draw(9) }, () => draw(most + 1));
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

test('AWARD-01, AWARD-02, AWARD-03, AWARD-04, AWARD-05, AWARD-06, AWARD-07, AWARD-08: the awards equal those of the formulas', {
  timeout: 120_000,
}, () => {
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
      for (const [key, found] of Object.entries(wanted)) {
        // A total of 0 wins no award.
        if (key === 'best_week' && found?.value === 0) continue;
        expect([
          key,
          of(key)?.value,
          new Set(of(key)?.winners.map(({ player_id }) => player_id)),
        ]).toEqual([key, found?.value, found?.players ?? new Set()]);
      }
      if (weeks.length > 0) {
        const totals = weeks.map(({ team_id, week }) => teamTotal(team_id, week));
        expect(of('best_team_week')?.value).toBe(Math.max(...totals) || undefined);
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

test('AWARD-06: a player who moves within a week has carried a team in one week', () => {
  const week = { player_id: 1, week: 1, games: 1, score_sum: 100, total: 100 };
  const both = [1, 2].map((team_id) => ({ ...week, team_id }));
  const carried = seasonAwards(both, [], [], 1).find(({ key }) => key === 'carried');
  expect(carried?.value).toBe(1);
});
