import type pg from 'pg';

/** The only source of time; tests replace it. */
export type Clock = { now(): Date };

const SYNC_EVERY_MS = 60_000;
const SAMPLES = 5;

/** The database's time minus `performance.now()`, in ms. */
async function measureOffset(client: pg.PoolClient): Promise<number> {
  let offset = 0;
  let shortest = Infinity;
  for (let n = 0; n < SAMPLES; n += 1) {
    const sent = performance.now();
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    const took = performance.now() - sent;
    const now = rows[0]?.now;
    // A sample is off by at most half the time it took, so use the fastest.
    if (now === undefined || took >= shortest) continue;
    shortest = took;
    offset = now.getTime() - (sent + took / 2);
  }
  return offset;
}

/**
 * A clock that follows the database's, so that all processes agree on what has expired (P10). Syncs
 * once a minute and at each new connection. Between syncs it uses the monotonic timer, so that
 * jumps of the system clock have no effect.
 * @throws the first query's error. After a later query's error, the last offset stays.
 */
export async function databaseClock(pool: pg.Pool): Promise<Clock & { stop(): void }> {
  let offset = 0;
  let syncing = false;
  async function sync(): Promise<void> {
    syncing = true;
    try {
      const client = await pool.connect();
      try {
        offset = await measureOffset(client);
        client.release();
      } catch (error) {
        client.release(true);
        throw error;
      }
    } finally {
      syncing = false;
    }
  }
  await sync();
  const again = () => {
    if (!syncing) void sync().catch(() => undefined);
  };
  const timer = setInterval(again, SYNC_EVERY_MS);
  timer.unref();
  // After a failover, new connections lead to a host with another clock.
  pool.on('connect', again);
  return {
    now: () => new Date(performance.now() + offset),
    stop: () => {
      clearInterval(timer);
      pool.off('connect', again);
    },
  };
}
