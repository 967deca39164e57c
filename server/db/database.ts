import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Where the server is: a `postgres://` address, or the embedded server's socket. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

/** P38: each step of a query has an end; the defaults of PostgreSQL and its driver have none. */
export const LIMITS_MS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
  /** For a server that answers nothing at all. Of statements sent together all count from then on. */
  query_timeout: 7_000,
};

/** Counts of games and sums of scores fit a double for ever: 2^53 is nine thousand million millions. */
const INT8 = 20;
/** A date is a calendar day, not an instant: it stays `YYYY-MM-DD`. */
const DATE = 1082;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && oid === DATE) return (day: string) => day;
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * Opens a pool of at most `size` connections with the limits of P38 (`limits: false` leaves them
 * out, for a migration or a backup). `onError` hears of idle connections that broke; the pool
 * replaces them by itself (REL-07).
 */
export function openPool(
  connection: Connection,
  size: number,
  onError: (error: Error) => void,
  { limits = true }: { limits?: boolean } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    // One stays, so that a quiet hour makes nobody wait for a new one, nor takes it from a process
    // that is too busy to open one in time.
    min: 1,
    max: size,
    types,
    application_name: 'backboard',
    connectionTimeoutMillis: LIMITS_MS.connectionTimeoutMillis,
    // For `pipelined`.
    pipeline: true,
    ...(limits ? LIMITS_MS : {}),
  });
  pool.on('error', onError);
  // A connection in use reports to nobody but itself, and an unheard error ends the process.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

const names = new Map<string, string>();

/** Far more than the statements written in the code; text made from changing lists stays unnamed. */
const MAX_NAMED = 1_000;

/** A short stable name for a statement: PostgreSQL then keeps its plan for the connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED) return known;
  const name = createHash('sha1').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** The driver gave up on a server that says nothing at all (`query_timeout`, REL-09). */
const isStuck = (error: unknown) =>
  error instanceof Error && error.message === 'Query read timeout';

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
      return {
        // Kysely calls query(text, values); statements without values are begin, commit and DDL.
        query: ((text: string, values: readonly unknown[] = []) => {
          const send = () =>
            values.length > 0
              ? client.query({ text, values: [...values], name: nameOf(text) } as pg.QueryConfig)
              : client.query(text);
          // What a pool without pipelining would queue itself, it warns about.
          const answer = pool.options.pipeline ? send() : last.then(send, send);
          last = answer;
          return answer.catch(destroyStuck);
        }) as never,
        release,
      };
    },
  };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: named }) });
}
