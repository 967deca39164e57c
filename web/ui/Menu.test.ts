import { describe, expect, it } from 'vitest';
import { menuMove } from './Menu.tsx';

describe('menuMove', () => {
  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, 0],
    ['ArrowDown', -1, 0],
    ['ArrowUp', 1, 0],
    ['ArrowUp', 0, 2],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['a', 1, null],
    ['Tab', 1, null],
  ])('%s from item %d moves to %s', (key, from, to) => {
    expect(menuMove(key, from, 3)).toBe(to);
  });
});
