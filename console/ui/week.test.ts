import { expect, test } from 'vitest';
import { endsNextDay, firstOpen, textOf, toggled, weekOf } from './week.ts';

test('MACH-09: reading and writing opening hours changes nothing, even past midnight', () => {
  for (const text of [
    'mon-thu 15:00-23:00, fri-sat 12:00-01:00, sun 12:00-22:00',
    'mon-sun 00:00-24:00',
    'tue 18:00-24:00',
    'mon 10:00-12:00, mon 14:00-18:00',
    'sun 20:00-04:00',
  ])
    expect(textOf(weekOf(text))).toBe(text);
  expect(weekOf('fri 12:00-01:00')[4]).toEqual([{ from: '12:00', to: '01:00' }]);
  expect(weekOf('fri 12:00-24:00')[4]).toEqual([{ from: '12:00', to: '00:00' }]);
});

test('ticking a day copies the hours of the previous open day, and unticking clears the hours', () => {
  const week = weekOf('fri 12:00-01:00');
  expect(textOf(toggled(week, 5))).toBe('fri-sat 12:00-01:00');
  expect(textOf(toggled(week, 0))).toBe('mon 12:00-01:00, fri 12:00-01:00');
  expect(toggled(week, 4)).toEqual(weekOf(null));
  expect(textOf(toggled(weekOf(null), 2))).toBe('wed 12:00-23:00');
  expect([firstOpen(week), firstOpen(weekOf(null))]).toEqual([4, -1]);
});

test('hours that end after midnight name the day on which they end', () => {
  expect(endsNextDay(4, { from: '12:00', to: '01:00' })).toBe('until Sat 01:00');
  expect(endsNextDay(6, { from: '20:00', to: '04:00' })).toBe('until Mon 04:00');
  for (const to of ['23:00', '00:00', '']) expect(endsNextDay(4, { from: '12:00', to })).toBeNull();
});

test('overlapping hours and a week without an open day are refused in words', () => {
  const clash = weekOf('thu 20:00-04:00').with(4, [{ from: '03:00', to: '05:00' }]);
  expect(() => textOf(clash)).toThrow('The hours that begin on Thursday overlap the next ones.');
  expect(() => textOf(weekOf(null))).toThrow('Tick at least one day.');
});
