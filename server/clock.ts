import type pg from 'pg';

/** The only source of time; tests replace it. */
export type Clock = { now(): Date };

const SYNC_EVERY_MS = 60_000;

/**
 * A clock that follows the database's, so that all processes agree on what has expired (P10). In
 * between, the monotonic timer: jumps of the system clock have no effect.
 * @throws the first query's error; after later ones, the last offset stays.
 */
export async function databaseClock(pool: pg.Pool): Promise<Clock & { stop(): void }> {
  let offset = 0;
  async function sync(): Promise<void> {
    const before = performance.now();
    const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
    const after = performance.now();
    const now = rows[0]?.now;
    if (now) offset = now.getTime() - (before + after) / 2;
  }
  await sync();
  const timer = setInterval(() => void sync().catch(() => undefined), SYNC_EVERY_MS);
  timer.unref();
  return {
    now: () => new Date(performance.now() + offset),
    stop: () => clearInterval(timer),
  };
}
