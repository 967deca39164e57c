import { expect, test } from 'vitest';
import { mayOffer, putOff } from './home-screen.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00Z');

test('HAND-98 the first “Not now” lasts for 90 days, the second one for ever', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  expect(mayOffer(NOW, storage)).toBe(true);
  putOff(NOW, storage);
  expect([...stored]).toEqual([['install', '2026-11-20T20:00:00.000Z']]);
  expect(mayOffer(NOW + 90 * DAY, storage)).toBe(false);
  expect(mayOffer(NOW + 91 * DAY, storage)).toBe(true);
  putOff(NOW + 91 * DAY, storage);
  expect(mayOffer(NOW + 900 * DAY, storage)).toBe(false);
});
