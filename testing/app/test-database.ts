import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Connection, openDatabase, openPool } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openEmbedded } from '../../server/postgres/embedded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    connection: Connection;
    template: string;
  }
}

/** Enough for four test workers with several apps each. */
const CONNECTIONS = 300;

export const TEMPLATE = 'backboard_template';

export function onDatabase(connection: Connection, database: string): Connection {
  if (!('connectionString' in connection)) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** Runs statements in order on a new connection. */
export async function execute(connection: Connection, ...statements: string[]): Promise<void> {
  const pool = openPool(connection, 1, () => undefined, { limits: false });
  try {
    for (const statement of statements) await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/**
 * Ends this role's connections and drops the database. `with (force)` would fail during autovacuum,
 * whose process this role may not end.
 */
export async function dropDatabase(connection: Connection, name: string): Promise<void> {
  await execute(
    connection,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and usename = current_user`,
    `drop database if exists ${name}`,
  );
}

/**
 * Vitest's global setup: one PostgreSQL for the run (TEST_DATABASE_URL's, or an embedded one in a
 * temporary folder), with a migrated template to copy.
 */
export default async function setup(project: TestProject) {
  const outside = process.env.TEST_DATABASE_URL;
  const folder = await mkdtemp(join(tmpdir(), 'backboard-test-'));
  const embedded = outside
    ? null
    : await openEmbedded({ dataDir: folder, log: () => undefined, connections: CONNECTIONS });
  const connection: Connection = embedded?.connection ?? { connectionString: outside ?? '' };

  await dropDatabase(connection, TEMPLATE);
  await execute(connection, `create database ${TEMPLATE}`);
  const pool = openPool(onDatabase(connection, TEMPLATE), 1, () => undefined);
  await migrate(openDatabase(pool));
  await pool.end();
  project.provide('connection', connection);
  project.provide('template', TEMPLATE);

  return async () => {
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
