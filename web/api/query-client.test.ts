import { expect, test } from 'vitest';
import { retries, untilNext } from './query-client.ts';

test('a failed read is repeated after growing waits, each chosen once; an answer resets them', async () => {
  const retry = retries();
  const { signal } = new AbortController();
  const waitAfterFailure = async () => {
    await expect(retry.count(Promise.reject(new Error('busy')), signal)).rejects.toThrow('busy');
    expect(retry.waitMs()).toBe(retry.waitMs());
    return retry.waitMs();
  };
  for (const longest of [10_000, 20_000, 40_000, 60_000, 60_000]) {
    const wait = await waitAfterFailure();
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
  await expect(retry.count(Promise.resolve('answer'), signal)).resolves.toBe('answer');
  expect(await waitAfterFailure()).toBeLessThanOrEqual(10_000);
});

test('a read that an event cancels does not make the wait longer', async () => {
  const retry = retries();
  const cancelled = AbortSignal.abort();
  const fails = (signal: AbortSignal) =>
    expect(retry.count(Promise.reject(new Error('busy')), signal)).rejects.toThrow('busy');
  for (let count = 0; count < 5; count += 1) await fails(cancelled);
  await fails(new AbortController().signal);
  expect(retry.waitMs()).toBeLessThanOrEqual(10_000);
});

test('CUP-30, CONTEST-10: a page refetches when a window begins or ends by the server’s clock', () => {
  // The server is ten minutes ahead of this device, and the answer is a second old.
  const answer = {
    now: new Date(Date.now() + 600_000).toISOString(),
    readAt: Date.now() - 1_000,
  };
  const after = (ms: number) => new Date(Date.parse(answer.now) + ms).toISOString();
  const wait = (...moments: (string | null)[]) =>
    Math.round(untilNext(moments, answer, 15_000) / 100);
  expect(wait(null, after(60_000), after(5_000), after(-5_000))).toBe(43);
  expect(wait(after(60_000))).toBe(150);
  expect(wait(null, after(500))).toBe(150);
});
