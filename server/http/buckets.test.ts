import { expect, test } from 'vitest';
import { sessionBuckets } from './buckets.ts';

function bucketsAt() {
  const clock = { ms: 0 };
  const spend = sessionBuckets(() => clock.ms);
  const passed = (session: string, writes: boolean, count: number) =>
    Array.from({ length: count }, () => spend(session, writes)).filter((wait) => wait === 0).length;
  return { clock, spend, passed };
}

test.each([
  ['reads', false, 200, 20],
  ['writes', true, 60, 2],
])('P39a %s: a key may call in a burst, then at the rate', (_, writes, burst, rate) => {
  const { clock, spend, passed } = bucketsAt();
  expect(passed('a', writes, burst + 50)).toBe(burst);
  expect(spend('a', writes)).toBe(1);
  clock.ms += 5_000;
  expect(passed('a', writes, burst)).toBe(5 * rate);
  clock.ms += 3_600_000;
  expect(passed('a', writes, burst + 50)).toBe(burst);
});

test('P39a: a key may get a multiple of the rate', () => {
  const { spend } = bucketsAt();
  const passed = Array.from({ length: 700 }, () => spend('player 1', false, 3));
  expect(passed.filter((wait) => wait === 0)).toHaveLength(600);
});

test('P39a a session that keeps calling too fast still gets answers at its rate', () => {
  const { clock, spend, passed } = bucketsAt();
  passed('a', true, 60);
  let through = 0;
  for (let call = 0; call < 30; call += 1) {
    clock.ms += 1_000 / 3;
    if (spend('a', true) === 0) through += 1;
  }
  expect(through).toBeGreaterThanOrEqual(19);
});

test('P39a each session has a bucket for reads and another for writes', () => {
  const { passed } = bucketsAt();
  passed('a', true, 100);
  expect(passed('a', false, 1)).toBe(1);
  expect(passed('b', true, 1)).toBe(1);
});
