import { expect, test } from 'vitest';
import { freeWeek, hasBegun, madeOf, mondaysOf, nextMonday, outsideWords } from './words.ts';

test('SEASON-35: a league names the teams that are not in its newest season', () => {
  expect(outsideWords('Season 2', ['Aces'])).toBe('Not in Season 2: Aces.');
  expect(outsideWords('Season 2', ['Aces', 'Bears'])).toBe('Not in Season 2: Aces and Bears.');
});

test('OPS-16: when weeks clash, the next consecutive free weeks are offered', () => {
  const taken = ['2026-11-23', '2026-11-30', '2026-12-14'];
  expect(freeWeek(taken, '2026-11-25', 1)).toBe('2026-12-07');
  expect(freeWeek(taken, '2026-12-07', 2)).toBe('2026-12-21');
  expect(freeWeek(taken, '2026-11-22', 1)).toBe('2026-11-16');
  expect(freeWeek([], '2026-12-27', 52)).toBe('2026-12-21');
});

test('STAFF-22: the summary covers the weeks that the call made, not the league’s other weeks', () => {
  const schedule = ['2026-11-16', '2026-11-23', '2026-11-30', '2026-12-14'].map((from) => ({
    from,
    to: new Date(Date.parse(from) + 6 * 24 * 3_600_000).toISOString().slice(0, 10),
  }));
  expect(madeOf(schedule, '2026-11-25', 2)).toEqual({
    weeks: 2,
    from: '2026-11-23',
    to: '2026-12-06',
  });
  expect(madeOf(schedule, '2027-01-04', 2)).toBeNull();
});

test('LEAGUE-01: a league begins on the first Monday on or after today in its own zone', () => {
  const zones = ['Pacific/Kiritimati', 'Europe/London', 'Pacific/Pago_Pago'];
  const at = (now: string) => zones.map((zone) => nextMonday(zone, new Date(now)));
  expect(at('2026-11-23T10:30:00Z')).toEqual(['2026-11-30', '2026-11-23', '2026-11-23']);
  expect(at('2026-11-29T23:30:00Z')).toEqual(['2026-11-30', '2026-11-30', '2026-11-30']);
  expect(at('2026-11-30T10:30:00Z')).toEqual(['2026-12-07', '2026-11-30', '2026-11-30']);
});

test('SEASON-52: a week counts as begun from its Monday on', () => {
  const days = ['', '2026-11-16', '2026-11-23', '2026-11-29', '2026-11-30'];
  const begun = days.map((day) => hasBegun(day, '2026-11-23'));
  expect(begun).toEqual([false, true, true, true, false]);
});

test('SEASON-50: each left-out week delays a season’s end by a week', () => {
  expect(mondaysOf('2026-12-09', 2, [])).toEqual(['2026-12-07', '2026-12-14']);
  expect(mondaysOf('2026-12-07', 2, ['2026-12-14', '2027-01-04'])).toEqual([
    '2026-12-07',
    '2026-12-14',
    '2026-12-21',
  ]);
  expect(mondaysOf('2026-12-07', 0, [])).toEqual([]);
});
