import { expect, it } from 'vitest';
import { sortAchievements } from './sort.ts';

const one = (key: string, have?: number, need = 10) => ({
  key,
  name: key,
  description: key,
  icon: key,
  progress: have === undefined ? null : { have, need },
});
const wonAt = (key: string) => ({ key, unlocked_at: '2026-11-20T19:00:00Z', game: 'g' });

it('keeps the order of won achievements, and sorts open ones by progress', () => {
  const all = [one('a'), one('b', 2), one('c', 6, 8), one('d'), one('e', 10), one('f', 0)];
  const { won, open } = sortAchievements(all, [wonAt('e'), wonAt('a'), wonAt('unknown')]);
  expect(won.map(({ key }) => key)).toEqual(['e', 'a']);
  expect(open.map(({ key }) => key)).toEqual(['c', 'b', 'f', 'd']);
});
