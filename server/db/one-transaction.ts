import type pg from 'pg';
import { type Database, openDatabase } from './database.ts';

const BEGIN = /^(begin|start transaction)\b/;

/**
 * Runs `work` on one connection in one transaction: all of it is there at the end, or none. The
 * transactions that functions inside begin for themselves become parts of it (savepoints), so they
 * must not run side by side. A failed `work` leaves nothing behind, also when the process dies.
 *
 * Statements that `work` asks for at once (`Promise.all`) run in the order in which they were asked
 * for, and go to the server at once when the pool pipelines; Kysely's own transactions wait for each
 * answer. After the first that fails, those behind it fail too.
 * @throws what `work` or the commit throws.
 */
export async function inOneTransaction<T>(
  pool: pg.Pool,
  work: (db: Database, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let clean = true;
  try {
    await client.query('begin');
    const result = await work(onClient(client, pool.options), client);
    const { command } = await client.query('commit');
    // What PostgreSQL answers when a statement has failed and nobody has said so.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back at its end');
    return result;
  } catch (error) {
    clean = await client.query('rollback').then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    // A connection that cannot even roll back goes, and the transaction with it.
    client.release(!clean);
  }
}

/** Kysely on the one connection; its begin, commit and rollback act on savepoints. */
function onClient(client: pg.PoolClient, options: pg.PoolOptions): Database {
  let depth = 0;
  let last: Promise<unknown> = Promise.resolve();
  async function query(statement: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (typeof statement !== 'string') {
      const ask = () => client.query(statement);
      // Behind a failure nothing more is asked: it would come after the rollback, and stay.
      const answer = options.pipeline ? ask() : last.then(ask);
      last = answer;
      return answer;
    }
    if (BEGIN.test(statement)) {
      depth += 1;
      return client.query(`savepoint part_${depth}`);
    }
    if (statement !== 'commit' && statement !== 'rollback') return client.query(statement);
    const part = `part_${depth}`;
    depth -= 1;
    if (statement === 'rollback') {
      await client.query(`rollback to savepoint ${part}`);
      last = Promise.resolve();
    }
    return client.query(`release savepoint ${part}`);
  }
  const only = {
    options,
    connect: async () => ({ query, release: () => undefined }),
    end: async () => undefined,
  };
  return openDatabase(only as unknown as pg.Pool);
}
