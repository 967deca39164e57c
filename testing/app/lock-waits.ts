import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Waits until exactly `count` statements wait for a lock. */
export async function untilBlocked(t: TestApp, count = 1): Promise<void> {
  const waiting = async () =>
    (
      await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db)
    ).rows.length;
  await expect.poll(waiting).toBe(count);
}
