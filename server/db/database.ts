import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** A `postgres://` address, or its parts. `host` can be a Unix socket's directory. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

/** The timeouts of P38, in milliseconds. PostgreSQL and its driver have none by default. */
const CONNECT_TIMEOUT_MS = 2_000;
const LIMITS_MS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};
/**
 * PostgreSQL's default of 4 is for turning disks: the planner would scan a table of a thousand rows
 * in place of its index (decision 166).
 */
const RANDOM_PAGE_COST = 1.1;
/** The driver's own timeout, in case PostgreSQL is silent. It starts when the statement is sent. */
const QUERY_TIMEOUT_MS = 7_000;

/**
 * For a pool's `onConnect`: sets these of P38's limits, and the planner's cost of a random page,
 * before the connection's first use. PgBouncer refuses them as parameters of the connection.
 */
export const configureConnection =
  (limits: Partial<typeof LIMITS_MS>) =>
  async (client: pg.ClientBase): Promise<void> => {
    const settings = { ...limits, random_page_cost: RANDOM_PAGE_COST };
    const all = Object.entries(settings).map(([name, value]) => `set ${name} = ${value}`);
    await client.query(all.join('; '));
  };

/** `bigint`, read as a number: no value comes near 2^53. */
const INT8 = 20;
/** `date`, read as text (`YYYY-MM-DD`): a day is not an instant. */
const DATE = 1082;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === DATE) return (day: string) => day;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A pool with P38's timeouts, unless `limits` is false, as for migrations. A broken connection
 * calls `onError` and is replaced (REL-07).
 * @param name the connections' application name
 * @param pipeline whether a statement may be sent before the previous one has been answered
 */
export function openPool(
  connection: Connection,
  size: number,
  onError: (error: Error) => void,
  { limits = true, name = 'backboard', pipeline = true } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    // Keep one connection, so that the first request after a quiet hour is fast.
    min: 1,
    max: size,
    types,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    pipeline,
    ...(limits ? { query_timeout: QUERY_TIMEOUT_MS } : {}),
    onConnect: configureConnection(limits ? LIMITS_MS : {}),
  });
  const broken = (error: Error) => {
    // Ignore errors while the pool ends, because PostgreSQL may stop first.
    if (!pool.ending) onError(error);
  };
  pool.on('error', broken);
  // A client in use emits its own errors; an unhandled error would end the process.
  pool.on('connect', (client) => client.on('error', broken));
  return pool;
}

const names = new Map<string, string>();

/**
 * At most this many statements get names, because each length of a list in SQL makes a different
 * statement.
 */
const MAX_NAMED = 1_000;

/**
 * A short, stable name, so that connections cache a statement's plan; undefined beyond MAX_NAMED.
 */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** PostgreSQL did not answer in time (`query_timeout`, REL-09). */
const isStuck = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout';

const BEGUN = { command: 'BEGIN', rowCount: null, rows: [] };

/** Kysely over a pool. Statements with parameters get names. */
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
      // After a timeout the connection is busy: it must not return to the pool.
      const destroyStuck = (error: unknown) => {
        if (isStuck(error)) release(true);
        throw error;
      };
      let last: Promise<unknown> = Promise.resolve();
      let begun: Promise<unknown> = Promise.resolve();
      let failed: Promise<never> | null = null;
      return {
        query: ((text: string, values: readonly unknown[] = []) => {
          const send = () =>
            values.length > 0
              ? client.query({ text, values: [...values], name: nameOf(text) } as pg.QueryConfig)
              : client.query(text);
          if (!pool.options.pipeline) {
            // Wait for the previous query, because the driver warns if it has to queue a query.
            last = last.then(send, send);
            return last.catch(destroyStuck);
          }
          if (text === 'begin') {
            // Only `commit` waits for `begin`. If `begin` fails, later statements would run outside
            // a transaction, so refuse them and destroy the connection.
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
