import { expect, test } from 'vitest';
import { freeWeek } from './words.ts';

test('OPS-16: weeks that clash are offered the next weeks that are free in a row', () => {
  const taken = ['2026-11-23', '2026-11-30', '2026-12-14'];
  // A Wednesday of a taken week, and a free week before a taken one.
  expect(freeWeek(taken, '2026-11-25', 1)).toBe('2026-12-07');
  expect(freeWeek(taken, '2026-12-07', 2)).toBe('2026-12-21');
  expect(freeWeek(taken, '2026-11-22', 1)).toBe('2026-11-16');
  expect(freeWeek([], '2026-12-27', 52)).toBe('2026-12-21');
});
