import { expect, test } from 'vitest';
import { currentOf } from './season-words.ts';

const inStates = (...states: ('planned' | 'running' | 'grace' | 'final')[]) =>
  states.map((state) => ({ state }));

test('a league opens the season that runs or is in grace, else the planned, else the last', () => {
  for (const [states, shown] of [
    [['final', 'planned'], 1],
    [['grace', 'planned'], 0],
    [['grace', 'running'], 1],
    [['final', 'running'], 1],
    [['final', 'final'], 1],
    [['planned'], 0],
  ] as const) {
    const seasons = inStates(...states);
    expect(currentOf(seasons), states.join()).toBe(seasons[shown]);
  }
});
