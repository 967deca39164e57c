import { sql } from 'kysely';
import type { Database } from './database.ts';

export type DatabaseFigures = {
  version: string;
  bytes: number;
  connections: number;
  connections_max: number;
  /** The name of the last migration. */
  schema: string;
};

/** The version, size and connections of the database. */
export async function readFigures(db: Database): Promise<DatabaseFigures> {
  const { rows } = await sql<DatabaseFigures>`
    select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes,
      (select count(*) from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as connections_max,
      (select max(name) from migrations) as schema`.execute(db);
  const [figures] = rows;
  if (figures === undefined) throw new Error('the database did not describe itself');
  return figures;
}

/** How many seconds `db` lags behind the primary; null when it is the primary. */
export async function readLag(db: Database): Promise<number | null> {
  const { rows } = await sql<{ behind_s: number | null }>`
    select case when pg_is_in_recovery()
      then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
      end as behind_s`.execute(db);
  return rows[0]?.behind_s ?? null;
}
