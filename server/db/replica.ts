import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { isDatabaseAway } from '../errors.ts';
import { type Database, openDatabase, openPool } from './database.ts';

/** How often the replica is looked at. */
const LOOK_EVERY_MS = 2_000;
/** How old its data may be. */
const LAG_MAX_S = 5;
const POOL_SIZE = 8;

/** Reads that may be a little old: from the replica while it is well, else from the primary. */
export type Older = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Whether a server is a standby that follows its primary. One that is none has been promoted, or is
 * another database altogether: then only the primary knows.
 */
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
 * Opens the replica of DATABASE_REPLICA_URL, if there is one. It is no part of health: without it,
 * and while it is away, cannot keep up, or is no standby, everything is read from the primary.
 */
export function openReplica(
  connectionString: string | null,
  { db, log }: { db: Database; log: Pick<FastifyBaseLogger, 'warn'> },
): { read: Older; close(): Promise<void> } {
  if (connectionString === null) return { read: (read) => read(db), close: async () => undefined };

  const pool = openPool({ connectionString }, POOL_SIZE, () => undefined);
  const replica = openDatabase(pool);
  let well = false;
  const judge = (is: boolean, error?: unknown) => {
    if (is !== well)
      log.warn({ err: error }, is ? 'the replica is read again' : 'the replica is not read');
    well = is;
  };
  const look = () =>
    follows(replica).then(
      (is) => judge(is),
      (error: unknown) => judge(false, error),
    );
  void look();
  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    read: async (read) => {
      if (!well) return read(db);
      try {
        return await read(replica);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        judge(false, error);
        return read(db);
      }
    },
    close: async () => {
      clearInterval(looking);
      await replica.destroy();
    },
  };
}
