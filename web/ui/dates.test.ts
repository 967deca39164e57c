import { expect, it } from 'vitest';
import { dayAndMonth, dayRange, weekdayAndDay } from './dates.ts';
import { clockTime, timeLeft } from './times.ts';

const NOW = new Date(2026, 10, 20, 19, 34);

it('a day’s name includes the year only if it is not the current year', () => {
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
  [(4 * 1440 + 4 * 60 + 59) * MINUTE, '4 days', 'P4D'],
  [2 * 1440 * MINUTE, '2 days', 'P2D'],
  [(2 * 1440 - 1) * MINUTE, '47 hours', 'PT47H'],
  [31 * 60 * MINUTE, '31 hours', 'PT31H'],
  [60 * MINUTE, '1 hour', 'PT1H'],
  [59.9 * MINUTE, '59 minutes', 'PT59M'],
  [1, '1 minute', 'PT1M'],
  [-5, '1 minute', 'PT1M'],
])('%d ms are %s', (ms, words, iso) => {
  expect(timeLeft(ms)).toEqual({ words, iso });
});
