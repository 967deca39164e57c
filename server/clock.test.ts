import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { untimedPool } from './backup/long-work.ts';
import { databaseClock } from './clock.ts';
import { type TestApp, testApp } from './testing/test-app.ts';

const HOUR = 3_600_000;

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterEach(() => vi.useRealTimers());
afterAll(() => t.close());

test('P10: the clock of the database decides what has expired, not the clock of the process', async () => {
  // The database's clock, an hour ahead.
  await sql`create schema ahead`.execute(t.db);
  await sql`create function ahead.clock_timestamp() returns timestamptz language sql as
    $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`.execute(t.db);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(t.db);
  await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set search_path = ahead, pg_catalog`.execute(
    t.db,
  );
  const pool = untimedPool(t.pool, () => undefined);
  const clock = await databaseClock(pool);
  const before = Date.now();
  const ahead = clock.now().getTime();
  expect(ahead).toBeGreaterThan(before + HOUR / 2);
  expect(ahead).toBeLessThan(Date.now() + 2 * HOUR);
  clock.stop();
  await pool.end();
});

test.each([HOUR, -HOUR])(
  'REL-15: a jump of this machine’s clock by %i ms has no effect',
  async (jump) => {
    const clock = await databaseClock(t.pool);
    const before = clock.now().getTime();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
    const after = clock.now().getTime();
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after - before).toBeLessThan(HOUR / 2);
    clock.stop();
  },
);
