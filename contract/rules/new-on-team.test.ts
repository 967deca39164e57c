import { expect, test } from 'vitest';
import { newOnTeamWords } from './new-on-team.ts';

test.each([
  ['staff', true, 8, 'Staff added you. League mode is on: your next 8 games this week count.'],
  ['accepted', true, 2, 'Staff said yes. League mode is on: your next 2 games this week count.'],
  ['staff', true, 1, 'Staff added you. League mode is on: your next game this week counts.'],
  ['accepted', true, 1, 'Staff said yes. League mode is on: your next game this week counts.'],
  [
    'staff',
    true,
    0,
    'Staff added you. League mode is on: your games count when the next week begins.',
  ],
  ['staff', false, 8, 'Staff added you. League mode is off. Switch it on for your games to count.'],
  [
    'accepted',
    false,
    8,
    'Staff said yes. League mode is off. Switch it on for your games to count.',
  ],
] as const)(
  'HAND-47: the words say how a player came to the team (%s, mode %s, %i left)',
  (how, on, left, words) => {
    expect(newOnTeamWords({ how, on, left })).toBe(words);
  },
);
