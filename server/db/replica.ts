import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { isDatabaseAway } from '../errors.ts';
import { type Database, openDatabase, openPool } from './database.ts';

const CHECK_EVERY_MS = 2_000;
const LAG_MAX_S = 5;
const POOL_SIZE = 8;

export type ReplicaRead = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

async function follows(replica: Database): Promise<boolean> {
  const { rows } = await sql<{ follows: boolean }>`
    select pg_is_in_recovery()
      and exists (select from pg_stat_wal_receiver)
      and (pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
        or clock_timestamp() - pg_last_xact_replay_timestamp() < ${LAG_MAX_S} * interval '1 second'
      ) as follows`.execute(replica);
  return rows[0]?.follows ?? false;
}

/**
 * The replica at `connectionString`. Reads go to the primary if `connectionString` is null, and
 * while the replica is unavailable, lags or is not a standby. Readiness does not depend on the
 * replica. The check uses a single connection, so several standbys need a proxy that checks each of
 * them (deploy/cluster).
 */
export function openReplica(
  connectionString: string | null,
  { db, log }: { db: Database; log: Pick<FastifyBaseLogger, 'warn'> },
): { read: ReplicaRead; close(): Promise<void> } {
  if (connectionString === null) return { read: (read) => read(db), close: async () => undefined };

  const pool = openPool({ connectionString }, POOL_SIZE, () => undefined);
  const replica = openDatabase(pool);
  let healthy = false;
  const setHealthy = (to: boolean, error?: unknown) => {
    if (to !== healthy)
      log.warn({ err: error }, to ? 'the replica is read again' : 'the replica is not read');
    healthy = to;
  };
  const check = () =>
    follows(replica).then(
      (is) => setHealthy(is),
      (error: unknown) => setHealthy(false, error),
    );
  void check();
  const checks = setInterval(check, CHECK_EVERY_MS).unref();
  return {
    read: async (read) => {
      if (!healthy) return read(db);
      try {
        return await read(replica);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        setHealthy(false, error);
        return read(db);
      }
    },
    close: async () => {
      clearInterval(checks);
      await replica.destroy();
    },
  };
}
