import { expect, test } from 'vitest';
import { waitEndsWords, waitsWords, windowWords } from './words.ts';

test('FRAME-04: the page says what a contest waits for, and what ends the wait', () => {
  const wait = { machine: 'Hoop 4', queued: 0 };
  expect(waitsWords({ ...wait, why: 'silent' })).toBe('Hoop 4 has not reported since the end');
  expect(waitsWords({ ...wait, why: 'playing' })).toBe('Hoop 4 plays');
  expect(waitsWords({ ...wait, queued: 1, why: 'queued' })).toBe('Hoop 4 has 1 game on its disk');
  const now = new Date(2026, 10, 27, 21, 30);
  const ends = (wait: { machines: number; held: number }, day: number, ...time: number[]) =>
    waitEndsWords(new Date(2026, 10, day, ...time).toISOString(), wait, now);
  expect(ends({ machines: 1, held: 0 }, 27, 21, 45)).toMatch(/21:45 .* Mark it in repair/);
  expect(ends({ machines: 0, held: 1 }, 28, 6)).toBe(
    'It waits until the held games are decided, 06:00 at the latest.',
  );
  expect(ends({ machines: 0, held: 0 }, 30)).toBe(
    'It waits until Mon 30 Nov 00:00 for late games.',
  );
});

test('CUP-07: a window of whole days shows no hours, a window over several nights shows both days', () => {
  const words = (starts_at: string, ends_at: string) =>
    windowWords({ starts_at, ends_at, timezone: 'Europe/Lisbon' });
  expect(words('2026-11-30T00:00Z', '2026-12-07T00:00Z')).toBe('Mon 30 Nov to Sun 6 Dec');
  // The clocks go back in this week.
  expect(words('2026-10-18T23:00Z', '2026-10-26T00:00Z')).toBe('Mon 19 Oct to Sun 25 Oct');
  expect(words('2026-12-04T19:00Z', '2026-12-04T22:00Z')).toBe('Fri 4 Dec, 19:00 to 22:00');
  expect(words('2026-12-04T22:00Z', '2026-12-05T01:00Z')).toBe('Fri 4 Dec, 22:00 to 01:00');
  expect(words('2026-12-04T19:00Z', '2026-12-06T22:00Z')).toBe(
    'Fri 4 Dec, 19:00 to Sun 6 Dec, 22:00',
  );
});
