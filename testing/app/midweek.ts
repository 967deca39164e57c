import { beforeAll } from 'vitest';
import { goToMidweek } from './make.ts';
import { type TestApp, withApp } from './test-app.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** `withApp`, with the clock at noon UTC on a Wednesday (`goToMidweek`). */
export function midweekApp(): { t: TestApp; ago(ms: number): Date } {
  const t = withApp();
  beforeAll(() => goToMidweek(t));
  return { t, ago: (ms) => new Date(t.clock.now().getTime() - ms) };
}
