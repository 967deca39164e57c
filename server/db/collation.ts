import { sql } from 'kysely';
import type { Database } from './database.ts';

export type Collation = {
  database: string;
  /** Whether `I` and `i` are the same letter, as unique indexes of names require. */
  folds: boolean;
  /** The version of the sort order that the indexes use, and that of the library now. */
  stored: string | null;
  actual: string | null;
};

/** Reads the sort order and the letter case rules of the database. */
export async function readCollation(db: Database): Promise<Collation> {
  const { rows } = await sql<Collation>`
    select datname as database, lower('IRIS_I') = 'iris_i' as folds, datcollversion as stored,
      pg_database_collation_actual_version(oid) as actual
    from pg_database where datname = current_database()`.execute(db);
  const [collation] = rows;
  if (collation === undefined) throw new Error('the database did not describe itself');
  return collation;
}

/**
 * The warning about indexes sorted by another version of the library, with the commands that repair
 * them (OPS-31); null if the versions agree.
 */
export function collationWarning({ database, stored, actual }: Collation): string | null {
  if (stored === null || actual === null || stored === actual) return null;
  return `The sort order of the database is of version ${stored}, and its library now has ${actual}: searches for names may miss rows. As the user postgres: psql -d ${database} -c 'reindex database "${database}"' && psql -d ${database} -c 'alter database "${database}" refresh collation version'`;
}
