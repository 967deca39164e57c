import { expect, it } from 'vitest';
import { clockTime, dayAndMonth, dayRange, timeLeft, weekdayAndDay } from './dates.ts';

const NOW = new Date(2026, 10, 20, 19, 34);

it('names days, with the year only if it is not the current year', () => {
  expect(weekdayAndDay(NOW, NOW)).toBe('Fri 20 Nov');
  expect(dayAndMonth(new Date(2026, 8, 7), NOW)).toBe('7 Sep');
  expect(weekdayAndDay(new Date(2025, 11, 31, 23, 59), NOW)).toBe('Wed 31 Dec 2025');
  expect(clockTime(new Date(2026, 0, 1, 0, 5))).toBe('00:05');
});

it.each([
  ['2026-11-09', '2026-11-15', '9–15 Nov'],
  ['2026-09-28', '2026-10-04', '28 Sep – 4 Oct'],
  ['2026-12-28', '2027-01-03', '28 Dec – 3 Jan'],
])('%s to %s is %s', (from, to, range) => {
  expect(dayRange(from, to)).toBe(range);
});

const MINUTE = 60_000;
it.each([
  [(2 * 1440 + 4 * 60 + 59) * MINUTE, '2 d 4 h', '2 days 4 hours', 'P2DT4H'],
  [1440 * MINUTE, '1 d', '1 day', 'P1D'],
  [(1440 + 59) * MINUTE, '1 d', '1 day', 'P1D'],
  [1439 * MINUTE, '23 h 59 min', '23 hours 59 minutes', 'PT23H59M'],
  [60 * MINUTE, '1 h', '1 hour', 'PT1H'],
  [59.9 * MINUTE, '59 min', '59 minutes', 'PT59M'],
  [1, '1 min', '1 minute', 'PT1M'],
  [-5, '1 min', '1 minute', 'PT1M'],
])('%d ms are %s', (ms, short, words, iso) => {
  expect(timeLeft(ms)).toEqual({ short, words, iso });
});
