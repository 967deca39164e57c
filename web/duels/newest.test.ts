import { expect, test } from 'vitest';
import type { Duel } from '#contract/wire/duels.ts';
import { newestDecided } from './newest.ts';

const now = new Date('2026-11-26T09:00:00Z');
const decided = (result: string, daysAgo: number) =>
  ({ result, ends_at: new Date(now.getTime() - daysAgo * 24 * 3_600_000).toISOString() }) as Duel;

test('DUEL-05 a duel without games does not hide the newest decided one, which is news for 7 days', () => {
  const won = decided('won', 6.9);
  expect(newestDecided([decided('none', 1), won, decided('lost', 6.95)], now)).toBe(won);
  expect(newestDecided([decided('none', 1), decided('won', 7)], now)).toBeNull();
  expect(newestDecided([decided('none', 1)], now)).toBeNull();
});
