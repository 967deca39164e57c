import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { expect, test, vi } from 'vitest';
import { batched } from './batch.ts';

function held(options: Parameters<typeof batched<string, string>>[1]) {
  const batches: { items: string[]; end: () => void }[] = [];
  const call = batched<string, string>((items) => {
    const { promise, resolve } = Promise.withResolvers<string[]>();
    batches.push({ items, end: () => resolve(items.map((item) => item.toUpperCase())) });
    return promise;
  }, options);
  return { call, batches, started: () => batches.map(({ items }) => items.join('')) };
}

test('calls made in one turn of the event loop form one batch and are answered in order', async () => {
  const { call, batches, started } = held({ max: 10, concurrency: 1 });
  const answers = Promise.all(['a', 'b', 'c'].map(call));
  await turn();
  expect(started()).toEqual(['abc']);
  batches[0]?.end();
  expect(await answers).toEqual(['A', 'B', 'C']);
});

test('a call starts immediately; calls that come while batches run make the next batch', async () => {
  const { call, batches, started } = held({ max: 2, concurrency: 2 });
  const answers = [call('a')];
  await turn();
  answers.push(call('b'));
  await turn();
  expect(started()).toEqual(['a', 'b']);
  answers.push(...['c', 'd', 'e'].map(call));
  await turn();
  expect(started()).toEqual(['a', 'b']);
  batches[1]?.end();
  await expect.poll(started).toEqual(['a', 'b', 'cd']);
  batches[0]?.end();
  await expect.poll(started).toEqual(['a', 'b', 'cd', 'e']);
  for (const { end } of batches) end();
  expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D', 'E']);
});

test('calls with the same key never share a batch, and a heavy call gets a batch of its own', async () => {
  const { call, batches, started } = held({
    max: 4,
    concurrency: 3,
    keyOf: (item) => item[0],
    weigh: (item) => item.length,
  });
  const answers = Promise.all(['a', 'bb', 'aa', 'ccccc', 'd'].map(call));
  await turn();
  await turn();
  await turn();
  expect(started()).toEqual(['abbd', 'aa', 'ccccc']);
  for (const { end } of batches) end();
  expect(await answers).toEqual(['A', 'BB', 'AA', 'CCCCC', 'D']);
});

test.each([
  ['fewer', (items: string[]) => items.slice(1)],
  ['more', (items: string[]) => ['x', ...items]],
])('a batch with %s results than calls gives no call the result of another', async (name, run) => {
  const call = batched<string, string>(async (items) => run(items), { max: 10, concurrency: 1 });
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(call));
  const results = name === 'fewer' ? 0 : 2;
  expect(answers.map((answer) => answer.status === 'rejected' && String(answer.reason))).toEqual(
    Array(3).fill(`Error: a batch of 1 calls has ${results} results`),
  );
});

const refused = (code: string) => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

test.each([
  ['a refused statement', refused('23514')],
  ['a lock timeout', refused('55P03')],
  ['a mistake in our code', new TypeError('not what it should be')],
])('%s: each call is retried on its own, and only the bad call fails', async (_name, error) => {
  const batches: string[] = [];
  const call = batched<string, string>(
    async (items) => {
      batches.push(items.join(''));
      if (items.includes('b')) throw error;
      return items;
    },
    { max: 10, concurrency: 1 },
  );
  const answers = await Promise.allSettled(['a', 'b', 'c'].map(call));
  expect(answers).toEqual([
    { status: 'fulfilled', value: 'a' },
    { status: 'rejected', reason: error },
    { status: 'fulfilled', value: 'c' },
  ]);
  expect(batches).toEqual(['abc', 'a', 'b', 'c']);
});

test('when a batch’s connection breaks, its calls are retried', async () => {
  const batches: string[] = [];
  const call = batched<string, string>(
    async (items) => {
      batches.push(items.join(''));
      if (batches.length === 1) throw new Error('Connection terminated unexpectedly');
      return items;
    },
    { max: 10, concurrency: 1 },
  );
  expect(await Promise.all(['a', 'b'].map(call))).toEqual(['a', 'b']);
  expect(batches).toEqual(['ab', 'a', 'b']);
});

test.each([
  ['a server that cannot be reached', Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 1],
  ['a server that is starting', refused('57P03'), 1],
  ['a lock that all of them wait for', refused('55P03'), 10],
])('%s fails all calls, and they are not retried one by one', async (_name, error, runs) => {
  let ran = 0;
  const call = batched<number, number>(
    async () => {
      ran += 1;
      throw error;
    },
    { max: 100, concurrency: 1 },
  );
  const answers = await Promise.allSettled(Array.from({ length: 100 }, (_, at) => call(at)));
  expect(new Set(answers.map((answer) => 'reason' in answer && answer.reason))).toEqual(
    new Set([error]),
  );
  expect(ran).toBeLessThanOrEqual(runs);
});

test('REL-09 no call waits longer than two seconds for a database that hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { call, batches } = held({ max: 10, concurrency: 1 });
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
  batches[0]?.end();
  expect(await first).toBe('A');
  vi.useRealTimers();
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.end();
  expect(await third).toBe('C');
});
