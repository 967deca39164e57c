import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { expect, test, vi } from 'vitest';
import { gather } from './batch.ts';

/** A gathering whose groups end when the test says so. */
function held(options: Parameters<typeof gather<string, string>>[1]) {
  const groups: { items: string[]; end: () => void }[] = [];
  const call = gather<string, string>((items) => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    groups.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())) });
    return promise;
  }, options);
  return { call, groups, asked: () => groups.map(({ items }) => items.join('')) };
}

test('calls of one turn are one group, answered in their order', async () => {
  const { call, groups, asked } = held({ most: 10, atOnce: 1 });
  const answers = Promise.all(['a', 'b', 'c'].map(call));
  await turn();
  expect(asked()).toEqual(['abc']);
  groups[0]?.end();
  expect(await answers).toEqual(['A', 'B', 'C']);
});

test('nobody waits for company; who comes while groups are on their way goes after them', async () => {
  const { call, groups, asked } = held({ most: 2, atOnce: 2 });
  const answers = [call('a')];
  await turn();
  answers.push(call('b'));
  await turn();
  expect(asked()).toEqual(['a', 'b']);
  answers.push(...['c', 'd', 'e'].map(call));
  await turn();
  expect(asked()).toEqual(['a', 'b']);
  groups[1]?.end();
  await expect.poll(asked).toEqual(['a', 'b', 'cd']);
  groups[0]?.end();
  await expect.poll(asked).toEqual(['a', 'b', 'cd', 'e']);
  for (const { end } of groups) end();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('calls with one key go one after the other, and the heavy in groups of their own', async () => {
  const { call, groups, asked } = held({
    most: 4,
    atOnce: 3,
    keyOf: (item) => item[0],
    weigh: (item) => item.length,
  });
  const answers = Promise.all(['a', 'bb', 'aa', 'ccccc', 'd'].map(call));
  await turn();
  await turn();
  await turn();
  expect(asked()).toEqual(['abbd', 'aa', 'ccccc']);
  for (const { end } of groups) end();
  expect(await answers).toEqual(['A', 'BB', 'AA', 'CCCCC', 'D']);
});

const refused = (code: string) => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

test.each([
  ['a statement that is refused', refused('23514')],
  ['a lock that somebody holds', refused('55P03')],
  ['a mistake in our code', new TypeError('not what it should be')],
])('%s: each is tried by itself, and one bad call hurts no other', async (_name, error) => {
  const groups: string[] = [];
  const call = gather<string, string>(
    async (items) => {
      groups.push(items.join(''));
      if (items.includes('b')) throw error;
      return items;
    },
    { most: 10, atOnce: 1 },
  );
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(call));
  expect(answers).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: 'c' },
  ]);
  expect(groups).toEqual(['abc', 'a', 'b', 'c']);
});

test('a connection that breaks under a group costs its calls a second try', async () => {
  const groups: string[] = [];
  const call = gather<string, string>(
    async (items) => {
      groups.push(items.join(''));
      if (groups.length === 1) throw new Error('Connection terminated unexpectedly');
      return items;
    },
    { most: 10, atOnce: 1 },
  );
  expect(await Promise.all(['a', 'b'].map(call))).toEqual(['a', 'b']);
  expect(groups).toEqual(['ab', 'a', 'b']);
});

test.each([
  ['a server that cannot be reached', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 1],
  ['a server that starts', refused('57P03'), 1],
  ['a lock on all that they need', refused('55P03'), 10],
])('%s fails them all without a try for each', async (_name, error, tries) => {
  let asked = 0;
  const call = gather<number, number>(
    async () => {
      asked += 1;
      throw error;
    },
    { most: 100, atOnce: 1 },
  );
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, at) => call(at)));
  expect(new Set(answers.map((answer) => 'reason' in answer && answer.reason))).toEqual(
    new Set([error]),
  );
  expect(asked).toBeLessThanOrEqual(tries);
});

test('REL-09 behind a database that hangs nobody waits for longer than two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { call, groups } = held({ most: 10, atOnce: 1 });
  const first = call('a');
  await turn();
  const second = call('b');
  second.catch(() => undefined);
  vi.advanceTimersByTime(1_900);
  const late = call('late');
  late.catch(() => undefined);
  vi.advanceTimersByTime(100);
  await expect(second).rejects.toMatchObject({ status: 503, retryAfter: 2 });
  vi.advanceTimersByTime(1_900);
  await expect(late).rejects.toMatchObject({ status: 503, retryAfter: 2 });
  const third = call('c');
  groups[0]?.end();
  expect(await first).toBe('A');
  vi.useRealTimers();
  await expect.poll(() => groups.length).toBe(2);
  groups[1]?.end();
  expect(await third).toBe('C');
});
