import { expect, test } from 'vitest';
import { untilNext } from './query-client.ts';

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
