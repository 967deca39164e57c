import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What can be locked by a number when there is no row that stands for it. */
const KINDS = { machine: 1, corrections: 2 } as const;

/**
 * How long work that queues up waits for a lock, in milliseconds: longer than others (P38), because
 * fifty batches that come at once stand in a row, and shorter than a statement may take.
 */
const WAIT_MS = 4_500;

/**
 * Takes a lock for the rest of the transaction, and lets it wait longer than others, for this lock
 * and the following ones.
 * @throws the database's lock timeout (55P03), which is answered by 503.
 */
export async function lockPatiently(
  trx: Database,
  kind: keyof typeof KINDS,
  id = 0,
): Promise<void> {
  await sql`
    with patience as materialized (select set_config('lock_timeout', ${`${WAIT_MS}ms`}, true))
    select pg_advisory_xact_lock(${KINDS[kind]}, ${id}) from patience`.execute(trx);
}
