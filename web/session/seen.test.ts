import { beforeEach, expect, it, vi } from 'vitest';
import { isWeekOpened, newAchievements, openWeek, seeAchievements } from './seen.ts';

let items: Map<string, string>;
const storage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
};
beforeEach(() => {
  items = new Map();
});

it('on the first call no achievement is new; achievements won later are new', () => {
  expect(newAchievements(['first-game'], storage)).toEqual([]);
  expect(newAchievements(['first-game', 'games-10', 'five-days'], storage)).toEqual([
    'games-10',
    'five-days',
  ]);
});

it('the very first achievement of a new player is new', () => {
  expect(newAchievements([], storage)).toEqual([]);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
});

it('an achievement stays new until it has been seen', () => {
  seeAchievements([], storage);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
  expect(newAchievements(['first-game'], storage)).toEqual(['first-game']);
  seeAchievements(['first-game'], storage);
  expect(newAchievements(['first-game'], storage)).toEqual([]);
});

it('an achievement that was lost and won again is new again', () => {
  seeAchievements(['first-game', 'games-10'], storage);
  seeAchievements(['first-game'], storage);
  expect(newAchievements(['first-game', 'games-10'], storage)).toEqual(['games-10']);
});

it.each(['{', '"first-game"', 'null'])('starts over from a corrupt record: %s', (corrupt) => {
  items.set('seen_achievements', corrupt);
  expect(newAchievements(['first-game'], storage)).toEqual([]);
  expect(newAchievements([], storage)).toEqual([]);
});

it('a week counts as opened once the week’s picture or nudge was opened', () => {
  expect(isWeekOpened('2026-11-09', storage)).toBe(false);
  openWeek('2026-11-09', storage);
  expect(isWeekOpened('2026-11-09', storage)).toBe(true);
  expect(isWeekOpened('2026-11-16', storage)).toBe(false);
  // The next week's nudge does not replace the picture.
  openWeek('2026-11-23T00:00:00Z', storage);
  openWeek('2026-11-23T00:00:00Z', storage);
  expect(isWeekOpened('2026-11-09', storage)).toBe(true);
  expect(isWeekOpened('2026-11-23T00:00:00Z', storage)).toBe(true);
});

it('the question of who sees the name is over after four visits, and a visit counts once', async () => {
  for (const visit of [1, 2, 3, 4]) {
    vi.resetModules();
    const page = await import('./seen.ts');
    expect([visit, page.isQuestionOver(storage)]).toEqual([visit, false]);
    page.countQuestionVisit(storage);
    page.countQuestionVisit(storage);
    expect(page.isQuestionOver(storage)).toBe(false);
  }
  vi.resetModules();
  expect((await import('./seen.ts')).isQuestionOver(storage)).toBe(true);
});
