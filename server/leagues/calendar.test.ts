import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayOf, mondayOf, startOf, weekNumber, weekOf, zoneNamed } from './calendar.ts';

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
const instant = fc.date({
  min: new Date('2022-01-01T00:00:00Z'),
  max: new Date('2037-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

test('a week starts on Monday of the local calendar, in every zone', () => {
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

test('every instant is between the start of its week and the start of the next', () => {
  fc.assert(
    fc.property(zone, instant, (timeZone, at) => {
      const week = weekOf(at, timeZone);
      const [from, to] = [startOf(week, timeZone), startOf(addDays(week, 7), timeZone)];
      expect(from.getTime()).toBeLessThanOrEqual(at.getTime());
      expect(at.getTime()).toBeLessThan(to.getTime());
      expect(weekOf(from, timeZone)).toBe(week);
      expect(weekOf(new Date(from.getTime() - 1), timeZone)).toBe(addDays(week, -7));
      const hours = (to.getTime() - from.getTime()) / 3_600_000;
      // Usually 168. Antarctica/Casey's clocks have changed by three hours.
      expect(hours).toBeGreaterThanOrEqual(165);
      expect(hours).toBeLessThanOrEqual(171);
    }),
    { numRuns: 300 },
  );
});

test('a day without midnight begins at its first instant', () => {
  // Beirut's clocks skip midnight, from 23:59 to 01:00.
  expect(startOf('2026-03-29', 'Asia/Beirut').toISOString()).toBe('2026-03-28T22:00:00.000Z');
  expect(dayOf(new Date('2026-03-28T21:59:59Z'), 'Asia/Beirut')).toBe('2026-03-28');
});

test('days, Mondays and week numbers follow the calendar', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(mondayOf('2026-11-22')).toBe('2026-11-16');
  expect(mondayOf('2026-11-16')).toBe('2026-11-16');
  expect(weekNumber('2026-11-16', '2026-11-16')).toBe(1);
  expect(weekNumber('2026-12-28', '2026-11-16')).toBe(7);
});

test('a zone that PostgreSQL reads without daylight saving time is refused', () => {
  expect(['CET', 'eet', 'MET', 'WET', '+02:00', 'Europe/Nowhere'].map(zoneNamed)).toEqual(
    Array(6).fill(null),
  );
  expect(['europe/berlin', 'Asia/Calcutta', 'UTC'].map(zoneNamed)).toEqual([
    'Europe/Berlin',
    'Asia/Calcutta',
    'UTC',
  ]);
});
