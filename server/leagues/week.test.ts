import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { average } from '#contract/abbreviate.ts';
import {
  addDays,
  dayOf,
  mondayOf,
  type Result,
  seasonTable,
  startOf,
  tallyWeek,
  teamWeek,
  type WeekGame,
  weekNumber,
  weekOf,
} from './week.ts';

// --- The worked examples of the documentation -------------------------------------------------

const page = await readFile(join(import.meta.dirname, '../../docs/leagues.md'), 'utf8');

/** The rows of the table under a heading, by the names of its columns. */
function examples(heading: string): Record<string, string>[] {
  const [, section = ''] = page.split(`### ${heading}\n`);
  const [head = [], , ...rows] =
    section
      .split(/\n#/, 1)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ) ?? [];
  expect(rows.length, heading).toBeGreaterThan(3);
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
}

const list = (cell = '') => (cell === '–' ? [] : cell.split(', '));
const orNone = (values: (string | number)[]) => values.join(', ') || '–';
/** Games a minute apart, in their order. */
const inOrder = (games: { score: number; team_id?: number }[]): WeekGame[] =>
  games.map(({ score, team_id = 1 }, at) => ({
    id: `game-${at}`,
    team_id,
    score,
    played_at: new Date(Date.UTC(2026, 2, 23, 12, at)),
  }));

describe('the worked examples', () => {
  test.each(examples('Weeks with 23 and 25-hour days'))('$Zone, week of $Week', (row) => {
    const { Zone = '', Week = '' } = row;
    const [from, to] = [startOf(Week, Zone), startOf(addDays(Week, 7), Zone)];
    expect(from.toISOString().slice(0, 16)).toBe(row['Begins (UTC)']);
    expect(to.toISOString().slice(0, 16)).toBe(row['Ends (UTC)']);
    expect(String((to.getTime() - from.getTime()) / 3_600_000)).toBe(row.Hours);
  });

  test.each(examples('The week in which a game lies'))('$Zone, $Played at (UTC)', (row) => {
    expect(weekOf(new Date(`${row['Played at (UTC)']}Z`), row.Zone ?? '')).toBe(row.Week);
  });

  test.each(examples('One player, one week'))('$Games', (row) => {
    const games = inOrder(list(row.Games).map((score) => ({ score: Number(score) })));
    const { shares, fates } = tallyWeek(games);
    const share = shares[0] ?? { games_played: 0, score_sum: 0, total: 0, fourth_best: null };
    const those = (counts: string) =>
      games
        .filter((game) => fates.get(game)?.counts === counts)
        .sort((a, b) => (fates.get(a)?.place ?? 0) - (fates.get(b)?.place ?? 0))
        .map(({ score }) => score);
    expect({
      Games: row.Games,
      Played: String(share.games_played),
      Average: String(average(share.score_sum, share.games_played)),
      Total: String(share.total),
      'Fourth best': String(share.fourth_best ?? '–'),
      Bench: orNone(those('bench')),
      'Over 8': orNone(those('over_8')),
    }).toEqual(row);
  });

  test.each(examples('A move in the middle of a week'))('$Games', (row) => {
    const games = inOrder(
      list(row.Games).map((game) => {
        const [team, score] = game.split(' ');
        return { score: Number(score), team_id: team === 'A' ? 1 : 2 };
      }),
    );
    const { shares, fates } = tallyWeek(games);
    const share = (team: number) => {
      const found = shares.find(({ team_id }) => team_id === team);
      if (found === undefined) return '–';
      const { games_played, score_sum, total } = found;
      return `${games_played} / ${average(score_sum, games_played)} / ${total}`;
    };
    const over = games
      .filter((game) => fates.get(game)?.counts === 'over_8')
      .map(({ team_id, score }) => `${team_id === 1 ? 'A' : 'B'} ${score}`);
    expect({
      Games: row.Games,
      'For A': share(1),
      'For B': share(2),
      'Over 8': orNone(over),
    }).toEqual(row);
  });

  test.each(examples('Ranks in a team'))('$Players', (row) => {
    const rows = (row.Players ?? '').split('; ').map((player) => {
      const [, username = '', scores] = /^(\S+) (.*)$/.exec(player) ?? [];
      const games = inOrder(list(scores).map((score) => ({ score: Number(score) })));
      const { games_played = 0, score_sum = 0, total = 0 } = tallyWeek(games).shares[0] ?? {};
      return { username, games_played, score_sum, total };
    });
    const team = teamWeek(rows);
    expect({
      Players: row.Players,
      Order: team.ranked.map(({ username }) => username).join(', '),
      Games: String(team.games_played),
      Average: String(team.average),
      Total: String(team.total),
    }).toEqual(row);
  });

  test.each(examples('Standings'))('$Results', (row) => {
    const results = (row.Results ?? '').split('; ').flatMap((result): Result[] => {
      const [, team = '', total, , against, other = ''] =
        /^(\w+) (\d+)(–(\d+) (\w+))?$/.exec(result) ?? [];
      if (against === undefined) return [{ team, total: Number(total), against: null }];
      return [
        { team, total: Number(total), against: Number(against) },
        { team: other, total: Number(against), against: Number(total) },
      ];
    });
    const teams = [...new Set(results.map(({ team }) => team))];
    const table = seasonTable(teams.reverse(), results);
    expect(table.map(({ place }) => place)).toEqual(teams.map((_, at) => at + 1));
    expect(
      table
        .map(({ team, won, drawn, lost, total }) => `${team} ${won}-${drawn}-${lost} ${total}`)
        .join(', '),
    ).toBe(row['Table: won-drawn-lost total']);
  });
});

// --- Against a slow and obvious second version ------------------------------------------------

const score = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 9999 }));
const game: fc.Arbitrary<WeekGame> = fc.record({
  id: fc.uuid(),
  team_id: fc.integer({ min: 1, max: 3 }),
  score,
  // Few different times, so that the id often decides.
  played_at: fc
    .integer({ min: 0, max: 5 })
    .map((minute) => new Date(Date.UTC(2026, 0, 5, 0, minute))),
});
const week = fc.uniqueArray(game, { selector: ({ id }) => id, maxLength: 14 });

/** Counts by asking of every game how many go before it. */
function slowly(games: WeekGame[]) {
  const isBefore = (a: WeekGame, b: WeekGame) =>
    a.played_at < b.played_at || (a.played_at.getTime() === b.played_at.getTime() && a.id < b.id);
  const counted = games.filter((one) => games.filter((other) => isBefore(other, one)).length < 8);
  const place = (one: WeekGame) =>
    1 +
    counted.filter(
      (other) =>
        other.team_id === one.team_id &&
        (other.score > one.score || (other.score === one.score && isBefore(other, one))),
    ).length;
  return {
    fateOf: (one: WeekGame) => {
      if (!counted.includes(one)) return { counts: 'over_8', place: null };
      return { counts: place(one) <= 4 ? 'league' : 'bench', place: place(one) };
    },
    shareOf: (team: number) => {
      const own = counted.filter(({ team_id }) => team_id === team);
      let [sum, total] = [0, 0];
      for (const one of own) {
        sum += one.score;
        if (place(one) <= 4) total += one.score;
      }
      return {
        team_id: team,
        games_played: own.length,
        score_sum: sum,
        total,
        fourth_best: own.find((one) => place(one) === 4)?.score ?? null,
      };
    },
  };
}

test('a week is counted as the slow version counts it', () => {
  fc.assert(
    fc.property(week, (games) => {
      const { shares, fates } = tallyWeek(games);
      const slow = slowly(games);
      expect(fates.size).toBe(games.length);
      for (const one of games) expect(fates.get(one)).toEqual(slow.fateOf(one));
      const teams = [...new Set(games.map(({ team_id }) => team_id))];
      expect([...shares].sort((a, b) => a.team_id - b.team_id)).toEqual(
        teams
          .sort((a, b) => a - b)
          .map(slow.shareOf)
          .filter(({ games_played }) => games_played > 0),
      );
    }),
  );
});

test('the order in which games are given does not matter, and nothing given is changed', () => {
  fc.assert(
    fc.property(week, fc.func(fc.integer()), (games, shuffle) => {
      const other = games.toSorted((a, b) => shuffle(a.id) - shuffle(b.id));
      const before = structuredClone(games);
      const byTeam = (list: WeekGame[]) =>
        tallyWeek(list).shares.sort((a, b) => a.team_id - b.team_id);
      expect(byTeam(other)).toEqual(byTeam(games));
      expect(games).toEqual(before);
    }),
  );
});

test('a better score never makes a total smaller, and more games never take counted ones away', () => {
  fc.assert(
    fc.property(week, fc.integer({ min: 0, max: 13 }), fc.nat(500), (games, at, more) => {
      const one = games.map((each) => ({ ...each, team_id: 1 }));
      const target = one[at];
      if (target === undefined) return;
      const better = one.with(at, { ...target, score: target.score + more });
      const totalOf = (list: WeekGame[]) => tallyWeek(list).shares[0]?.total ?? 0;
      expect(totalOf(better)).toBeGreaterThanOrEqual(totalOf(one));
      const played = tallyWeek(one).shares[0]?.games_played ?? 0;
      expect(played).toBe(Math.min(one.length, 8));
    }),
  );
});

const player = fc.record({
  username: fc.stringMatching(/^[A-Za-z0-9_-]{3,8}$/),
  games: fc.array(score, { maxLength: 8 }),
});

test('a team is ranked and added up as the slow version does it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(player, { selector: ({ username }) => username.toLowerCase(), maxLength: 9 }),
      (players) => {
        const rows = players.map(({ username, games }) => {
          const { score_sum = 0, total = 0 } =
            tallyWeek(inOrder(games.map((score) => ({ score })))).shares[0] ?? {};
          return { username, games_played: games.length, score_sum, total };
        });
        const team = teamWeek(rows);
        const shown = (row: (typeof rows)[number]) =>
          row.games_played === 0
            ? 0
            : Math.round((row.score_sum / row.games_played) * 10 + 1e-9) / 10;
        const goesBefore = (a: (typeof rows)[number], b: (typeof rows)[number]) => {
          if (a.total !== b.total) return a.total > b.total;
          if (shown(a) !== shown(b)) return shown(a) > shown(b);
          return a.username.toLowerCase() < b.username.toLowerCase();
        };
        for (const row of rows) {
          const rank = team.ranked.findIndex(({ username }) => username === row.username);
          expect(rank).toBe(rows.filter((other) => goesBefore(other, row)).length);
        }
        const all = players.flatMap(({ games }) => games);
        expect(team.games_played).toBe(all.length);
        expect(team.average).toBe(
          average(
            all.reduce((sum, one) => sum + one, 0),
            all.length,
          ),
        );
        expect(team.total).toBe(rows.reduce((sum, { total }) => sum + total, 0));
      },
    ),
  );
});

test('a season has every team once, and every matchup two sides', () => {
  const results = fc.array(
    fc.record({ home: fc.nat(4), away: fc.nat(5), a: fc.nat(3), b: fc.nat(3) }),
    { maxLength: 20 },
  );
  const teams = ['Ares', 'boa', 'Cato', 'dido', 'Eos'];
  fc.assert(
    fc.property(results, (matchups) => {
      const sides = matchups
        .filter(({ home, away }) => home !== away)
        .flatMap(({ home, away, a, b }): Result[] => {
          const [one = '', other] = [teams[home], teams[away]];
          // The sixth place is a bye.
          if (other === undefined) return [{ team: one, total: a, against: null }];
          return [
            { team: one, total: a, against: b },
            { team: other, total: b, against: a },
          ];
        });
      const table = seasonTable(teams, sides);
      expect(table.map(({ team }) => team).sort()).toEqual([...teams].sort());
      const sum = (of: 'won' | 'drawn' | 'lost' | 'total') =>
        table.reduce((total, row) => total + row[of], 0);
      expect(sum('won')).toBe(sum('lost'));
      expect(sum('won') + sum('drawn') + sum('lost')).toBe(
        sides.filter(({ against }) => against !== null).length,
      );
      expect(sum('total')).toBe(sides.reduce((total, side) => total + side.total, 0));
      for (const [at, row] of table.entries()) {
        const next = table[at + 1];
        if (next === undefined) continue;
        expect(row.won).toBeGreaterThanOrEqual(next.won);
        if (row.won === next.won) expect(row.total).toBeGreaterThanOrEqual(next.total);
        if (row.won === next.won && row.total === next.total)
          expect(row.team.toLowerCase() < next.team.toLowerCase()).toBe(true);
      }
    }),
  );
});

// --- Time zones -------------------------------------------------------------------------------

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
const instant = fc.date({
  min: new Date('2022-01-01T00:00:00Z'),
  max: new Date('2037-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

test('a week is the days back to Monday of the calendar on the wall, in every zone', () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, at) => {
      const wall = new Intl.DateTimeFormat('en-US', {
        timeZone,
        weekday: 'long',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      });
      const parts = Object.fromEntries(
        wall.formatToParts(at).map(({ type, value }) => [type, value]),
      );
      const today = `${parts.year}-${parts.month}-${parts.day}`;
      expect(dayOf(at, timeZone)).toBe(today);
      const back = NAMES.indexOf(parts.weekday ?? '');
      const monday = new Date(`${today}T12:00:00Z`);
      monday.setUTCDate(monday.getUTCDate() - back);
      expect(weekOf(at, timeZone)).toBe(monday.toISOString().slice(0, 10));
    }),
    { numRuns: 500 },
  );
});

test('every instant lies between the beginning of its week and that of the next', () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, at) => {
      const week = weekOf(at, timeZone);
      const [from, to] = [startOf(week, timeZone), startOf(addDays(week, 7), timeZone)];
      expect(from.getTime()).toBeLessThanOrEqual(at.getTime());
      expect(at.getTime()).toBeLessThan(to.getTime());
      expect(weekOf(from, timeZone)).toBe(week);
      expect(weekOf(new Date(from.getTime() - 1), timeZone)).toBe(addDays(week, -7));
      const hours = (to.getTime() - from.getTime()) / 3_600_000;
      // Antarctica/Casey turns its clocks by three hours.
      expect(hours).toBeGreaterThanOrEqual(165);
      expect(hours).toBeLessThanOrEqual(171);
    }),
    { numRuns: 300 },
  );
});

test('a day without midnight begins with its first minute', () => {
  // In Beirut the clocks go from 23:59 to 01:00.
  expect(startOf('2026-03-29', 'Asia/Beirut').toISOString()).toBe('2026-03-28T22:00:00.000Z');
  expect(dayOf(new Date('2026-03-28T21:59:59Z'), 'Asia/Beirut')).toBe('2026-03-28');
});

test('days, Mondays and numbers of weeks follow the calendar', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(mondayOf('2026-11-22')).toBe('2026-11-16');
  expect(mondayOf('2026-11-16')).toBe('2026-11-16');
  expect(weekNumber('2026-11-16', '2026-11-16')).toBe(1);
  expect(weekNumber('2026-12-28', '2026-11-16')).toBe(7);
});
