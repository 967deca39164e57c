import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * One step of the schema. A version of Backboard runs on the schema of the next version too, so
 * that processes of both can share a database during a rolling upgrade (decision 145).
 */
export type Migration = {
  /** `expand` if the previous version can run on the new schema, otherwise `contract`. */
  kind: 'expand' | 'contract';
  /**
   * For `contract`: the last migration of the release that stopped using what this migration
   * removes. Versions that know that migration still start.
   */
  unusedSince?: string;
  /**
   * Indexes on tables with many rows, built first and without blocking writes. By name, with what
   * follows the name in `create index`. A definition that begins with `unique` makes a unique
   * index.
   */
  indexes?: Record<string, string>;
  /**
   * Changes some rows, at most a few thousand, and returns how many. It is called, each time in its
   * own transaction, until it returns 0. After a kill, the calls start again.
   */
  batch?(db: Kysely<unknown>): Promise<number>;
  /** Runs in one transaction, last. */
  up?(db: Kysely<unknown>): Promise<void>;
};

/** SQL: creates an index of `indexes`. */
export function createIndex(name: string, on: string, how = ''): RawBuilder<unknown> {
  const [unique, rest] = on.startsWith('unique ') ? ['unique', on.slice(7)] : ['', on];
  return sql`create ${sql.raw(`${unique} index ${how}`)} ${sql.id(name)} ${sql.raw(rest)}`;
}

/** Runs a whole migration in the caller's transaction, on tables that nobody else uses. */
export async function runAtOnce(trx: Kysely<unknown>, migration: Migration): Promise<void> {
  for (const [name, on] of Object.entries(migration.indexes ?? {}))
    await createIndex(name, on).execute(trx);
  while (((await migration.batch?.(trx)) ?? 0) > 0);
  await migration.up?.(trx);
}
