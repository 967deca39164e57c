import { beforeEach, expect, it } from 'vitest';
import { isWeekOpened, newAchievements, openWeek, seeAchievements } from './seen.ts';
import { SEEN_KEY } from './session.ts';

let kept: Map<string, string>;
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};
beforeEach(() => {
  kept = new Map();
});

it('begins with nothing new, then tells what was won since', () => {
  expect(newAchievements(['first-game'], storage)).toEqual([]);
  expect(newAchievements(['first-game', 'games-10', 'five-days'], storage)).toEqual([
    'games-10',
    'five-days',
  ]);
});

it('tells a newcomer of their very first', () => {
  expect(newAchievements([], storage)).toEqual([]);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
});

it('keeps something new until it has been seen', () => {
  seeAchievements([], storage);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
  seeAchievements(['first-game'], storage);
  expect(newAchievements(['first-game'], storage)).toEqual([]);
});

it('tells again of one that was lost and won anew', () => {
  seeAchievements(['first-game', 'games-10'], storage);
  seeAchievements(['first-game'], storage);
  expect(newAchievements(['first-game', 'games-10'], storage)).toEqual(['games-10']);
});

it.each(['{', '"first-game"', 'null'])('starts anew from a spoilt record: %s', (spoilt) => {
  kept.set(SEEN_KEY, spoilt);
  expect(newAchievements(['first-game'], storage)).toEqual([]);
  expect(newAchievements([], storage)).toEqual([]);
});

it('knows of one week only that its picture has been opened', () => {
  expect(isWeekOpened('2026-11-09', storage)).toBe(false);
  openWeek('2026-11-09', storage);
  expect(isWeekOpened('2026-11-09', storage)).toBe(true);
  expect(isWeekOpened('2026-11-16', storage)).toBe(false);
});
