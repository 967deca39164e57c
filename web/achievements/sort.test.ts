import { expect, it } from 'vitest';
import { sortAchievements } from './sort.ts';

const one = (key: string, have?: number, need = 10) => ({
  key,
  name: key,
  description: key,
  icon: key,
  rank: 1 as const,
  progress: have === undefined ? null : { have, need },
});
const wonAt = (key: string) => ({ key, unlocked_at: '2026-11-20T19:00:00Z', game: 'g' });

it('HAND-94 keeps the order of won achievements, and sorts open ones by progress', () => {
  const all = [
    one('a'),
    one('b', 2),
    one('c', 6, 8),
    one('d'),
    one('e', 10),
    one('f', 0),
    one('g', 5),
    one('h', 1, 2),
  ];
  const { next, won, open } = sortAchievements(all, [wonAt('e'), wonAt('a'), wonAt('unknown')]);
  expect(won.map(({ key }) => key)).toEqual(['e', 'a']);
  // h and g have the same share, and h has fewer left.
  expect(next.map(({ key }) => key)).toEqual(['c', 'h']);
  expect(open.map(({ key }) => key)).toEqual(['g', 'b', 'f', 'd']);
});

it('HAND-94 “Next up” is the first game for a new player, and empty once that is won', () => {
  const all = [one('first-game'), one('games-10', 0), one('team-win')];
  const keys = (lists: ReturnType<typeof sortAchievements>) =>
    [lists.next, lists.open].map((list) => list.map(({ key }) => key));
  expect(keys(sortAchievements(all, []))).toEqual([['first-game'], ['games-10', 'team-win']]);
  expect(keys(sortAchievements(all, [wonAt('first-game')]))).toEqual([
    [],
    ['games-10', 'team-win'],
  ]);
});
