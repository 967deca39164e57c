import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.ts';

/** Anything that raw SQL can be executed on: a database, a transaction, a step of `pipelined`. */
export type Queryable = QueryExecutorProvider;

/**
 * Runs `work` in a transaction: a new one, or a savepoint when `db` is already a transaction. When
 * `work` throws, all of its changes are rolled back. Calls on the same transaction must not run
 * concurrently.
 * @throws what `work` or the commit throws.
 */
export async function transact<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute(work);
  await sql`savepoint part`.execute(db);
  try {
    const result = await work(db);
    await sql`release savepoint part`.execute(db);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(db);
    await sql`release savepoint part`.execute(db);
    throw error;
  }
}

/**
 * Sends the statements of several steps in the order given, without waiting for an answer between
 * them. PostgreSQL runs them in this order, and each statement sees the results of earlier ones.
 * After a failure the rest of the transaction fails too. Kysely's own transactions wait for each
 * answer before they send the next statement. Pipelining records 1.18 times as many games
 * (“Statements of a game are pipelined” in bench/results.md).
 *
 * @param steps each must send its statements on its argument before it awaits anything
 * @returns the results, in the same order
 * @throws the first failure
 */
export async function pipelined<T extends readonly unknown[]>(
  trx: Queryable,
  steps: readonly [...{ [K in keyof T]: (on: Queryable) => Promise<T[K]> }],
): Promise<T> {
  const executor = trx.getExecutor();
  return executor.provideConnection(async (connection) => {
    let sent = false;
    const direct = executor.withConnectionProvider({
      provideConnection: async (consumer) => {
        // A statement sent later could run after the rollback. Its change would then stay.
        if (sent)
          throw new Error('a pipelined step sends its statements before it awaits anything');
        return consumer(connection);
      },
    });
    const results = Promise.all(steps.map((step) => step({ getExecutor: () => direct })));
    sent = true;
    return (await results) as unknown as T;
  });
}
