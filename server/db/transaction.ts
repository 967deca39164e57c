import { type QueryExecutorProvider, sql } from 'kysely';
import type { Database } from './database.ts';

/** Something that executes raw SQL: a database, a transaction or a step of `pipelined`. */
export type Queryable = QueryExecutorProvider;

/**
 * Runs `work` in a transaction, or in a savepoint if `db` is a transaction. Calls on one
 * transaction must not run concurrently.
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
 * Sends the statements of several steps in order, without waiting for answers (decision 055). Each
 * statement sees the changes of earlier ones. A failure fails the rest of the transaction.
 * @param steps each must send all its statements through its argument before it awaits anything
 * @returns the results, in order
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
        // Otherwise a later statement could take effect after the rollback.
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
