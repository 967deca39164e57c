import { expect, test } from 'vitest';
import { exhaustedLimits } from './exhausted.ts';

test('P17: a flood of exhausted limits is cached up to a maximum, the latest ones always', () => {
  const cache = exhaustedLimits(100);
  const keys = Array.from({ length: 1_000 }, (_, n) => String(n));
  for (const [at, key] of keys.entries()) cache.add(key, new Date(at));
  const known = keys.filter((key) => cache.endOf(key) !== undefined);
  expect(known.length).toBeLessThanOrEqual(100);
  expect(known).toEqual(expect.arrayContaining(keys.slice(-50)));
  expect(cache.endOf('999')).toEqual(new Date(999));
});

test('P17: a limit that is exhausted again gets its new end', () => {
  const cache = exhaustedLimits(4);
  for (const key of ['a', 'b', 'c']) cache.add(key, new Date(1));
  cache.add('a', new Date(2));
  expect(cache.endOf('a')).toEqual(new Date(2));
});
