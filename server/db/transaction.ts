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
 * answer. What is asked for first goes along with `begin`, so it must not write: a `begin` that fails
 * alone would leave it there. After the first that fails, those behind it fail too; after the end
 * nothing can be asked.
 * @throws what `work` or the commit throws.
 */
export async function inOneTransaction<T>(
  pool: pg.Pool,
  work: (db: Database, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const { db, end } = onClient(client, pool.options);
  let clean = true;
  try {
    const begun = client.query('begin');
    // Heard of below, unless `work` has thrown before.
    begun.catch(() => undefined);
    // Nothing is asked without an answer in a pool that does not pipeline.
    if (!pool.options.pipeline) await begun;
    const [result] = await Promise.all([work(db, client), begun]);
    end();
    const { command } = await client.query('commit');
    // What PostgreSQL answers when a statement has failed and nobody has said so.
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back at its end');
    return result;
  } catch (error) {
    end();
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

/**
 * Kysely on the one connection, whose begin, commit and rollback act on savepoints. After `end` it
 * refuses: what is asked behind the commit or the rollback would stay, whatever became of the rest.
 */
function onClient(client: pg.PoolClient, options: pg.PoolOptions) {
  let ended = false;
  let depth = 0;
  let last: Promise<unknown> = Promise.resolve();
  async function send(statement: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (ended) throw new Error('the transaction is over');
    return client.query(statement);
  }
  async function query(statement: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (typeof statement !== 'string') {
      const ask = () => send(statement);
      const answer = options.pipeline ? ask() : last.then(ask);
      last = answer;
      return answer;
    }
    if (BEGIN.test(statement)) {
      depth += 1;
      return send(`savepoint part_${depth}`);
    }
    if (statement !== 'commit' && statement !== 'rollback') return send(statement);
    const part = `part_${depth}`;
    depth -= 1;
    if (statement === 'rollback') {
      await send(`rollback to savepoint ${part}`);
      last = Promise.resolve();
    }
    return send(`release savepoint ${part}`);
  }
  const only = {
    options,
    connect: async () => ({ query, release: () => undefined }),
    end: async () => undefined,
  };
  const end = () => {
    ended = true;
  };
  return { db: openDatabase(only as unknown as pg.Pool), end };
}
