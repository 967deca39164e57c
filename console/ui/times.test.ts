import { expect, test } from 'vitest';
import { count, dayInWords, logTime, nightTime, soon, timeInLine, when } from './times.ts';

const now = new Date(2026, 10, 22, 22, 4);
test.each([
  [new Date(2026, 10, 22, 0, 5), '00:05'],
  [new Date(2026, 10, 21, 23, 59), 'yesterday, 23:59'],
  [new Date(2026, 10, 19, 9, 0), 'Thu 19 Nov'],
  [new Date(2025, 10, 19, 9, 0), '19 Nov 2025'],
])('%s is shown as %s', (at, shown) => {
  expect(when(at, now)).toBe(shown);
});

test('a count has a singular or plural noun, and a comma from 1,000 on', () => {
  expect([count(1, 'game'), count(0, 'game'), count(1204, 'game')]).toEqual([
    '1 game',
    '0 games',
    '1,204 games',
  ]);
  expect(count(2, 'person', 'people')).toBe('2 people');
});

test('a game of tonight shows its time, any other game its day and time', () => {
  const late = new Date(2026, 10, 23, 0, 30);
  expect(nightTime(new Date(2026, 10, 22, 23, 50), late)).toBe('23:50');
  expect(nightTime(new Date(2026, 10, 22, 9, 5), late)).toBe('Sun 22 Nov 09:05');
  expect(nightTime(new Date(2026, 10, 22, 0, 10), now)).toBe('00:10');
});

test('a log line shows its day and time; a time in the coming days shows its weekday', () => {
  expect(logTime(new Date(2026, 10, 22, 9, 5), now)).toBe('Today 09:05');
  expect(logTime(new Date(2026, 10, 19, 9, 10), now)).toBe('Thu 19 Nov 09:10');
  expect(timeInLine(new Date(2026, 10, 22, 9, 5), now)).toBe('today 09:05');
  expect(soon(new Date(2026, 10, 23, 18, 0), now)).toBe('Mon 18:00');
  expect(soon(new Date(2026, 10, 22, 23, 0), now)).toBe('23:00');
});

test('HAND-C16: a typed date is shown in words', () => {
  expect(dayInWords('2026-11-30', now)).toBe('Mon 30 Nov');
  expect(dayInWords('2027-01-01', now)).toBe('Fri 1 Jan 2027');
  expect([dayInWords('', now), dayInWords(undefined, now)]).toEqual([null, null]);
});
