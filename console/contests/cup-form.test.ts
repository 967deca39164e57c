import { expect, test } from 'vitest';
import { countWords, newCup, sentCup, sizeHelp } from './cup-form.tsx';

test('CUP-04: the form says how many teams a table has, if that is fewer than wanted', () => {
  const season = { ...newCup('1'), from: 'season' as const };
  expect(sizeHelp(season, 6)).toMatch(/ The table has 6 teams\.$/);
  expect(sizeHelp({ ...season, size: '4' }, 4)).not.toMatch('The table');
  expect(sizeHelp(season, undefined)).not.toMatch('The table');
});

test('CUP-10: says what is counted, also of one game', () => {
  expect(countWords(4, 8)).toMatch(/^Of the first 8 games .*, the best 4 are added up\./);
  expect(countWords(1, 8)).toMatch(/^Of the first 8 games .*, the best one counts\./);
  expect(countWords(1, 1)).toMatch(/^The first game .* counts\./);
});

test('CUP-07: a cup of weeks begins on a day, one of hours at a time', () => {
  const form = { ...newCup('1'), starts: '2026-11-30' };
  expect(sentCup({ ...form, windows: 'weeks' }).starts).toBe('2026-11-30T00:00');
  expect(sentCup({ ...form, starts: '2026-11-30T19:00' }).starts).toBe('2026-11-30T19:00');
});
