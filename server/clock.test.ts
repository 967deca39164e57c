import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { withApp } from '#testing/app/test-app.ts';
import { databaseClock } from './clock.ts';

const HOUR = 3_600_000;

const t = withApp();
afterEach(() => vi.useRealTimers());

/**
 * How far the database's clock is ahead of the computer's, in ms, when a function with this `body`
 * replaces `clock_timestamp()`.
 */
async function offsetWith(schema: string, body: string): Promise<number> {
  await sql`create schema ${sql.id(schema)}`.execute(t.db);
  await sql
    .raw(`create function ${schema}.clock_timestamp() returns timestamptz ${body}`)
    .execute(t.db);
  const { options } = t.pool;
  const search_path = `-c search_path=${schema},pg_catalog`;
  // A spread of the options lacks the password, which the driver hides.
  const pool = new pg.Pool({ ...options, password: options.password, options: search_path });
  const clock = await databaseClock(pool);
  const offset = clock.now().getTime() - Date.now();
  clock.stop();
  await pool.end();
  return offset;
}

test('P10: the clock of the database decides what has expired, not the clock of the process', async () => {
  const body = `language sql as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`;
  const offset = await offsetWith('ahead', body);
  expect(offset).toBeGreaterThan(HOUR / 2);
  expect(offset).toBeLessThan(2 * HOUR);
});

test('P10: one slow answer of the database does not set the clock wrong', async () => {
  await sql`create sequence answers`.execute(t.db);
  const body = `language plpgsql as $$ begin
    perform pg_sleep(case nextval('public.answers') when 1 then 3 else 0 end);
    return pg_catalog.clock_timestamp();
  end $$`;
  // The slow answer alone would set the clock wrong by half of 3 s.
  expect(Math.abs(await offsetWith('slow', body))).toBeLessThan(1_000);
});

test('P10: after a failover the clock follows the database that answers now', async () => {
  await sql`create schema two_hosts`.execute(t.db);
  await sql`create table two_hosts.ahead as select interval '0' as by`.execute(t.db);
  await sql`create function two_hosts.clock_timestamp() returns timestamptz language sql as
    $$ select pg_catalog.clock_timestamp() + by from two_hosts.ahead $$`.execute(t.db);
  const { options } = t.pool;
  const pool = new pg.Pool({
    ...options,
    password: options.password,
    application_name: 'failing over',
    options: '-c search_path=two_hosts,pg_catalog',
  });
  pool.on('error', () => undefined);
  const clock = await databaseClock(pool);
  await sql`update two_hosts.ahead set by = interval '1 hour'`.execute(t.db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'failing over'`.execute(t.db);
  await expect
    .poll(async () => {
      await pool.query('select 1').catch(() => undefined);
      return clock.now().getTime() - Date.now();
    })
    .toBeGreaterThan(HOUR / 2);
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
