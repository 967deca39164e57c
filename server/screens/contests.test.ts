import { expect, test } from 'vitest';
import { prizeLine } from './contests.ts';
import { allSlides } from './screens.ts';

test('CONTEST-09: screens set up before contests existed show them after the matchups', () => {
  const old = (['tonight', 'matchups', 'join'] as const).map((slide) => ({
    slide,
    on: true,
    seconds: 12,
  }));
  expect(
    allSlides(old)
      .filter(({ on }) => on)
      .map(({ slide }) => slide),
  ).toEqual(['tonight', 'matchups', 'contest', 'cup', 'season', 'join']);
  const off = [...old, { slide: 'contest' as const, on: false, seconds: 12 }];
  expect(allSlides(off).find(({ slide }) => slide === 'contest')?.on).toBe(false);
});

test('CONTEST-09: the first prize is a line of at most 40 letters, cut at a word', () => {
  expect(prizeLine(null)).toBeNull();
  expect(prizeLine('1st: bar tab of 50. 2nd: a shirt.')).toBe('1st: bar tab of 50');
  expect(
    prizeLine('1st: bar tab of 50\n2nd: a shirt\n3rd: a cap\nFor players of 18 and over.'),
  ).toBe('1st: bar tab of 50');
  const long = prizeLine('A very long evening at the bar for two and a shirt each');
  expect([long, (long ?? '').length <= 41]).toEqual([
    'A very long evening at the bar for two…',
    true,
  ]);
});
