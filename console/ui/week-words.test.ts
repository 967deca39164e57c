import { expect, test } from 'vitest';
import { ruledWords } from './week-words.ts';

test('SEASON-30: a sentence says how a ruling decides a matchup', () => {
  const ruled = (ruling: Parameters<typeof ruledWords>[3]) =>
    ruledWords(5, 'Rim Reapers', 'Net Profits', ruling);
  expect(ruled('home')).toBe('Week 5: Rim Reapers beat Net Profits by forfeit.');
  expect(ruled('away')).toBe('Week 5: Net Profits beat Rim Reapers by forfeit.');
  expect(ruled('both_lose')).toBe('Week 5: Rim Reapers and Net Profits both lose.');
  expect(ruled('annulled')).toBe('Week 5: Rim Reapers against Net Profits is annulled.');
  expect(ruled('none')).toBe('Week 5: the totals of Rim Reapers and Net Profits decide again.');
});
