import { expect, test } from 'vitest';
import { type RULED, ruledWords } from './ruled-words.ts';

test.each<[keyof typeof RULED, string]>([
  ['home', 'Week 5: Rim Reapers beat Net Profits by forfeit'],
  ['away', 'Week 5: Net Profits beat Rim Reapers by forfeit'],
  ['both_lose', 'Week 5: Rim Reapers and Net Profits both lose'],
  ['annulled', 'Week 5: Rim Reapers against Net Profits is annulled'],
  ['none', 'Week 5: the totals of Rim Reapers and Net Profits decide again'],
])('SEASON-30: the sentence for the ruling %s', (ruling, sentence) => {
  expect(ruledWords(ruling, { week: 5, home: 'Rim Reapers', away: 'Net Profits' })).toBe(sentence);
});

test('SEASON-30: a team’s name is shown as it is, even if it looks like a placeholder', () => {
  expect(ruledWords('home', { week: 5, home: '{away}', away: '$&' })).toBe(
    'Week 5: {away} beat $& by forfeit',
  );
});
