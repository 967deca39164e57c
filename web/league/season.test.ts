import { expect, it } from 'vitest';
import type { ScheduleWeek } from '#contract/wire/leagues.ts';
import {
  correctionWords,
  equalWinsWords,
  leaderOf,
  postponedWords,
  weekCount,
  weekOn,
  weeksAround,
  weekWords,
  withoutTeam,
} from './season.ts';

it.each([
  [7, 10, 'Week 7 of 10'],
  [10, 10, 'Week 10 of 10'],
  [11, 10, 'All 10 weeks played'],
  [2, 1, '1 week played'],
  [3, 0, 'Week 3'],
  [0, 10, 'Before the season'],
  [0, 0, 'Before the season'],
])('week %i of %i reads “%s”', (week, weeks, words) => {
  expect(weekWords({ week, weeks })).toBe(words);
});

it('SEASON-11: the table says which criterion decides between equal wins', () => {
  expect(equalWinsWords({ tie_break: 'total' })).toBe('Equal wins: the higher total goes first.');
  expect(equalWinsWords({ tie_break: 'head_to_head' })).toBe(
    'Equal wins: their own matchups decide, then the higher total.',
  );
});

const PAIR = { home: 'Red', away: 'Blue', home_total: null, away_total: null };
const scheduled = (week: number): ScheduleWeek => ({
  week,
  from: '2026-11-09',
  to: '2026-11-15',
  matchups: [PAIR, { ...PAIR, home: 'Green', away: 'Gold' }],
  bye: 'White',
});

it.each([
  [0, [1, 2, 4], [1]],
  [1, [1, 2, 4], [2]],
  [2, [1, 2, 4], [1, 4]],
  [3, [1, 2, 4], [2, 4]],
  [4, [1, 2, 4], [2]],
  [9, [1, 2, 4], [4]],
  [3, [], []],
])('the weeks shown around week %i of %j are %j', (week, weeks, around) => {
  expect(weeksAround(weeks.map(scheduled), week).map((one) => one.week)).toEqual(around);
});

it('SEASON-40: the page of a running season knows its week by the days', () => {
  const weeks = [
    { ...scheduled(1), to: '2026-11-15' },
    { ...scheduled(2), to: '2026-11-22' },
  ];
  const at = (time: string) => weekOn(weeks, new Date(time));
  expect(at('2026-11-15T23:59')).toBe(1);
  expect(at('2026-11-16T00:00')).toBe(2);
  expect(at('2026-11-23T00:00')).toBe(3);
});

it('SEASON-32: the weeks shown around a week include postponed weeks before the next matchups', () => {
  const postponed = (week: number) => ({ ...scheduled(week), postponed: 'Christmas' });
  const weeks = [
    scheduled(1),
    postponed(2),
    scheduled(2),
    postponed(3),
    scheduled(3),
    postponed(4),
  ];
  expect(weeksAround(weeks, 2)).toEqual([weeks[0], weeks[3], weeks[4]]);
  expect(weeksAround(weeks, 3)).toEqual([weeks[2]]);
  // While week 2 is postponed, it is still to come.
  expect(weeksAround(weeks, 2, true)).toEqual([weeks[0], weeks[1], weeks[2]]);
});

it('SEASON-06: the number of weeks excludes postponed weeks and weeks left out', () => {
  const leftOut = { ...scheduled(2), postponed: 'Left out of the plan' };
  const postponed = { ...scheduled(2), postponed: 'Christmas' };
  expect(weekCount([scheduled(1), leftOut, postponed, scheduled(2)])).toBe(2);
  expect([scheduled(1), leftOut, postponed].map(postponedWords)).toEqual([
    null,
    'Without matchups',
    'Postponed: Christmas',
  ]);
});

it('SEASON-25: a correction gives its reason, then each change as a sentence', () => {
  const words = (...changes: string[]) => correctionWords({ reason: 'Voided game', changes });
  expect(words()).toBe('“Voided game”');
  expect(words('Net Profits: 7 wins, not 8', 'Best game: counted again')).toBe(
    '“Voided game” Net Profits: 7 wins, not 8. Best game: counted again.',
  );
});

it('the other matchups omit the team’s own matchup, at home or away, and its bye', () => {
  const rest = (team: string) => {
    const { matchups, bye } = withoutTeam(scheduled(1), team);
    return [...matchups.map(({ home }) => home), bye];
  };
  expect(rest('Red')).toEqual(['Green', 'White']);
  expect(rest('Gold')).toEqual(['Red', 'White']);
  expect(rest('White')).toEqual(['Red', 'Green', null]);
});

it.each([
  [2, 1, 'home'],
  [1, 2, 'away'],
  [2, 2, null],
  [0, 0, null],
  [null, null, null],
])('at %s to %s the leader is %s', (home_total, away_total, leader) => {
  expect(leaderOf({ ...PAIR, home_total, away_total })).toBe(leader);
});

it.each([
  ['home', 'home'],
  ['away', 'away'],
  ['both_lose', null],
  ['annulled', null],
] as const)(
  'SEASON-30: a ruling of %s names %s as winner, whatever the totals',
  (ruling, winner) => {
    for (const [home_total, away_total] of [
      [1, 2],
      [2, 1],
      [null, null],
    ] as const)
      expect(leaderOf({ ...PAIR, home_total, away_total, ruling })).toBe(winner);
  },
);
