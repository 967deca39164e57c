import { expect, test } from 'vitest';
import { exhaustedLimits } from './exhausted.ts';

test('P17: the cache of exhausted limits has a maximum size, and always keeps the latest', () => {
  const cache = exhaustedLimits(100);
  const until = (ms: number) => ({ end: new Date(ms), load: 1 });
  const keys = Array.from({ length: 1_000 }, (_, n) => String(n));
  for (const [at, key] of keys.entries()) cache.add(key, until(at));
  const known = keys.filter((key) => cache.get(key) !== undefined);
  expect(known.length).toBeLessThanOrEqual(100);
  expect(known).toEqual(expect.arrayContaining(keys.slice(-50)));
  expect(cache.get('999')).toEqual(until(999));
  cache.forget('999');
  expect(cache.get('999')).toBeUndefined();
});

test('P17: a limit that is exhausted again is cached until its new end', () => {
  const cache = exhaustedLimits(4);
  for (const key of ['a', 'b', 'c']) cache.add(key, { end: new Date(1), load: 1 });
  cache.add('a', { end: new Date(2), load: 3 });
  expect(cache.get('a')).toEqual({ end: new Date(2), load: 3 });
});
