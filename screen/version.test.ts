import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockText, hourOf, timeLeft, timeText } from './time.ts';
import { nightlyUpdate } from './version.ts';

const FOUR = Date.parse('2026-11-22T03:00:00Z');
const MINUTE = 60_000;
const ZONE = { utc_offset: 60 };

let served: string | null;
const fetched = vi.fn(async () => {
  if (served === null) throw new TypeError('no line');
  return new Response(`<script src="/screen/assets/index-${served}.js">`);
});
const reload = vi.fn();
beforeEach(() => {
  vi.stubGlobal('document', {
    querySelector: () => ({ getAttribute: () => '/screen/assets/index-old.js' }),
  });
  vi.stubGlobal('fetch', fetched);
  served = 'new';
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test('PROD-115: a new version is loaded once, at 04:00 venue time', async () => {
  const update = nightlyUpdate(reload);
  await update(FOUR - 1, ZONE);
  expect(fetched).not.toHaveBeenCalled();
  await update(FOUR, ZONE);
  expect(reload).toHaveBeenCalledTimes(1);
  await update(FOUR + MINUTE, ZONE);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('PROD-115: the same version is not loaded again', async () => {
  served = 'old';
  const update = nightlyUpdate(reload);
  await update(FOUR, ZONE);
  await update(FOUR + MINUTE, ZONE);
  expect([fetched.mock.calls.length, reload.mock.calls.length]).toEqual([1, 0]);
});

test('PROD-115: without a connection the page stays, and tries again within the hour', async () => {
  served = null;
  const update = nightlyUpdate(reload);
  await update(FOUR, ZONE);
  expect(reload).not.toHaveBeenCalled();
  served = 'new';
  await update(FOUR + 59 * MINUTE, ZONE);
  expect(reload).toHaveBeenCalledTimes(1);
  await update(FOUR + 60 * MINUTE, ZONE);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('PROD-114: times follow the venue’s clock', () => {
  expect(clockText(FOUR, { utc_offset: 60 })).toBe('04:00');
  expect(clockText(FOUR, { utc_offset: -210 })).toBe('23:30');
  expect(hourOf(FOUR, ZONE).hour).toBe(4);
  expect(timeText(FOUR, FOUR + 60 * MINUTE, ZONE)).toBe('04:00');
  expect(timeText(FOUR, FOUR, { utc_offset: -210 })).toBe('23:30');
  expect(timeText(FOUR + 24 * 60 * MINUTE, FOUR, ZONE)).toMatch(/^\w{3} \d+ \w{3}, 04:00$/);
  expect(timeLeft(27.5 * 3_600_000)).toBe('1 d 3 h');
  expect(timeLeft(80 * MINUTE)).toBe('1 h 20 min');
  expect(timeLeft(-5)).toBe('1 min');
});
