import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** The files that may use the device's clock, and what each measures or remembers with it. */
const MEASURES: Record<string, string> = {
  'web/api/events.ts': 'the silence of a stream',
  'web/api/query-client.ts': 'how long ago an answer came',
  'web/auth/age-refusal.ts': 'how long a refusal stays on this device',
  'web/auth/EmailStep.tsx': 'when this device asked for a code',
  'web/auth/LoginStep.tsx': 'when this device asked for a code',
  'web/auth/VerificationStep.tsx': 'the seconds since then',
  'web/contest/clock.ts': 'a contest has the server’s time in its page',
  'web/contest/queries.ts': 'a contest has the server’s time in its page',
  'web/session/session.ts': 'how long a refresh may take',
  'web/slip/Paper.tsx': 'the minute since the slip was made',
  'web/slip/SlipProvider.tsx': 'the time that a slip waits',
  'web/slip/quiet.ts': 'how long the page has been quiet',
  'web/ui/reload-once.ts': 'the minute since a reload',
  'web/ui/server-clock.ts': 'the difference itself',
  'console/shell/announce.ts': 'the time between announcements',
};

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse('2026-11-26T12:00:00Z') });
});
afterEach(() => vi.useRealTimers());
const clock = () => import('./server-clock.ts');

test('PROD-166: no page reads the device’s clock, except to measure durations', () => {
  const files = globSync('{web,console}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (path) => !/dist|\.test\./.test(path),
  );
  const asks = files.filter((path) =>
    /\bnew Date\(\)|\bDate\.now\b/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(asks.sort()).toEqual(Object.keys(MEASURES).sort());
});

test('PROD-166: the time follows the server’s, even if it jumps days ahead or back', async () => {
  const { hearServerTime, serverNow } = await clock();
  expect(serverNow()).toBe(Date.now());
  hearServerTime('Sun, 29 Nov 2026 12:00:00 GMT');
  expect(serverNow() - Date.now()).toBe(3 * 24 * 3_600_000);
  hearServerTime('2026-11-26T12:00:00.000Z');
  expect(serverNow()).toBe(Date.now());
});

test('PROD-166: rounding to whole seconds and slow answers do not change the time', async () => {
  const { hearServerTime, serverNow } = await clock();
  hearServerTime('Thu, 26 Nov 2026 11:59:59 GMT');
  expect(serverNow()).toBe(Date.now());
  hearServerTime('Thu, 26 Nov 2026 13:00:00 GMT');
  hearServerTime('Thu, 26 Nov 2026 12:59:59 GMT');
  hearServerTime('Thu, 26 Nov 2026 12:59:45 GMT', 15_000);
  expect(serverNow() - Date.now()).toBe(3_600_000);
});

test.each([null, '', 'soon'])('PROD-166: the date %s changes nothing', async (date) => {
  const { hearServerTime, serverNow } = await clock();
  hearServerTime(date);
  expect(serverNow()).toBe(Date.now());
});
