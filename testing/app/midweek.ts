import { afterAll, beforeAll } from 'vitest';
import { goToMidweek } from './make.ts';
import { type TestApp, testApp } from './test-app.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/**
 * An app for all tests of a file, from noon UTC on a Wednesday (`goToMidweek`). Call this once, at
 * the top. `t` is set only in tests and hooks.
 */
export function midweekApp(): { t: TestApp; ago(ms: number): Date } {
  const t = {} as TestApp;
  beforeAll(async () => {
    Object.assign(t, await testApp());
    goToMidweek(t);
  });
  afterAll(() => t.close());
  return { t, ago: (ms) => new Date(t.clock.now().getTime() - ms) };
}
