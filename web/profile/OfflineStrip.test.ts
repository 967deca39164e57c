import { describe, expect, it } from 'vitest';
import { timeText } from './OfflineStrip.tsx';

describe('timeText', () => {
  const now = new Date(2026, 2, 11, 20, 5); // a Wednesday
  it.each([
    [new Date(2026, 2, 11, 19, 42), '19:42'],
    [new Date(2026, 2, 11, 0, 0), '00:00'],
    [new Date(2026, 2, 10, 23, 59), 'Tuesday 23:59'],
    [new Date(2026, 2, 6, 9, 5), 'Friday 09:05'],
    [new Date(2026, 2, 4, 20, 6), '4 March 20:06'],
  ])('%s reads %s', (at, text) => {
    expect(timeText(at, now)).toBe(text);
  });
});
