import { expect, test } from 'vitest';
import { currentOf } from './season-words.ts';

const inStates = (...states: ('planned' | 'running' | 'grace' | 'final')[]) =>
  states.map((state) => ({ state }));

test('a league’s page opens the running season, else the planned season, else the last season', () => {
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
