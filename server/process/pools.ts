import type pg from 'pg';
import type { Settings } from '../config.ts';
import { type Connection, openDatabase, openPool } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { isDatabaseAway } from '../errors.ts';

/**
 * The connections of a single process. They are few, because PostgreSQL is faster that way. Several
 * processes share POOLS_SIZE, which is less than PostgreSQL's default limit of 100.
 */
const POOL_SIZE = 20;
const POOLS_SIZE = 64;
/** For callers without a session (P17). */
const ANONYMOUS_SIZE = 4;
/** How many connections each pool of a process has. */
export function poolSizes({ web_processes }: Pick<Settings, 'web_processes'>): {
  players: number;
  anonymous: number;
} {
  const all = Math.max(4, Math.min(POOL_SIZE, Math.floor(POOLS_SIZE / web_processes)));
  const anonymous = Math.min(ANONYMOUS_SIZE, Math.floor(all / 4));
  return { players: all - anonymous, anonymous };
}
/** The first connection to the embedded database may take long on a busy computer (OPS-32). */
const CONNECT_TRIES = 60;

/** Waits for a connection to the embedded database, and says so. Ignores external databases. */
async function untilConnected(pool: pg.Pool, connection: Connection): Promise<void> {
  if ('connectionString' in connection) return;
  for (let tries = 1; ; tries += 1)
    try {
      return (await pool.connect()).release();
    } catch (error) {
      if (!isDatabaseAway(error) || tries === CONNECT_TRIES) throw error;
      if (tries === 2) console.log('  This computer is busy. Waiting for the database …');
    }
}

/** Runs `work` on a separate connection, without the timeouts of requests. */
export async function withOwnConnection<T>(
  connection: Connection,
  work: (pool: pg.Pool, db: Deps['db']) => Promise<T>,
): Promise<T> {
  const pool = openPool(connection, 1, () => undefined, { limits: false });
  try {
    await untilConnected(pool, connection);
    return await work(pool, openDatabase(pool));
  } finally {
    await pool.end();
  }
}
