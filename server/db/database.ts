import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/**
 * How to reach PostgreSQL: a `postgres://` address, or its parts; `host` may be a socket's
 * directory.
 */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

/** P38: timeouts, which PostgreSQL and its driver do not have by default. */
export const LIMITS_MS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  /**
   * For a server that does not respond at all. A pipelined statement counts from when it is sent.
   */
  query_timeout: 7_000,
};

/** Parsed as a number, because no count or sum comes near 2^53. */
const INT8 = 20;
/** Kept as the text `YYYY-MM-DD`: a calendar day, not an instant. */
const DATE = 1082;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === DATE) return (day: string) => day;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Opens a pool of at most `size` connections with the timeouts of P38, or without them (`limits:
 * false`) for a migration or a backup. `onError` is called when a connection breaks; the pool
 * replaces it (REL-07).
 */
export function openPool(
  connection: Connection,
  size: number,
  onError: (error: Error) => void,
  { limits = true }: { limits?: boolean } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    // Keep one, so that the first request after a quiet hour does not wait for a connection.
    min: 1,
    max: size,
    types,
    application_name: 'backboard',
    connectionTimeoutMillis: LIMITS_MS.connectionTimeoutMillis,
    // `pipelined` needs it.
    pipeline: true,
    ...(limits ? LIMITS_MS : {}),
  });
  pool.on('error', onError);
  // A connection in use emits its own errors, and an unhandled 'error' event ends the process.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

const names = new Map<string, string>();

/** Far more than the code has. Later texts, generated from lists of any length, stay unnamed. */
const MAX_NAMED = 1_000;

/** A short stable name for a statement, for which each connection then keeps a plan. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Whether the driver gave up on a server that does not respond (`query_timeout`, REL-09). */
const isStuck = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout';

/** Stands for the answer to `begin`, of which Kysely reads nothing. */
const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] };

/** Kysely over a pool, with every parameterised statement named. */
export function openDatabase(pool: pg.Pool): Database {
  const named: PostgresPool = {
    options: pool.options as PostgresPool['options'],
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      let released = false;
      const release = (destroy?: boolean) => {
        if (!released) client.release(destroy);
        released = true;
      };
      // Otherwise a query that timed out would return a connection that is still busy.
      const destroyStuck = (error: unknown) => {
        if (isStuck(error)) release(true);
        throw error;
      };
      let last: Promise<unknown> = Promise.resolve();
      let begun: Promise<unknown> = Promise.resolve();
      let failed: Promise<never> | null = null;
      return {
        // Kysely calls query(text, values); statements without values are begin, commit and DDL.
        query: ((text: string, values: readonly unknown[] = []) => {
          const send = () =>
            values.length > 0
              ? client.query({ text, values: [...values], name: nameOf(text) } as pg.QueryConfig)
              : client.query(text);
          if (!pool.options.pipeline) {
            // Wait for the last query: the driver's own queue logs a deprecation warning.
            last = last.then(send, send);
            return last.catch(destroyStuck);
          }
          if (text === 'begin') {
            // Nothing waits for it but `commit`. Without it the statements would not be undone.
            begun = send().catch((error: unknown) => {
              failed = Promise.reject(error);
              failed.catch(() => undefined);
              release(true);
              throw error;
            });
            begun.catch(() => undefined);
            return Promise.resolve(BEGUN);
          }
          if (failed !== null) return failed;
          const answer = text === 'commit' ? begun.then(send) : send();
          return answer.catch(destroyStuck);
        }) as never,
        release,
      };
    },
  };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: named }) });
}
