import { sql } from 'kysely';
import type { Queryable } from './transaction.ts';

/** What can be locked by a number when there is no row that stands for it. */
const KINDS = { machine: 1, corrections: 2 } as const;

/**
 * How long work that queues up waits for a lock, in milliseconds: longer than others (P38), because
 * fifty batches that come at once stand in a row, and shorter than a statement may take.
 */
const WAIT_MS = 4_500;

/**
 * Takes locks for the rest of the transaction, in the order of their ids, and waits for them as long
 * as told, for these locks and the following ones.
 * @throws the database's lock timeout (55P03), which is answered by 503.
 */
export async function lockPatiently(
  trx: Queryable,
  kind: keyof typeof KINDS,
  ids: readonly number[] = [0],
  waitMs = WAIT_MS,
): Promise<void> {
  await sql`
    with patience as materialized (select set_config('lock_timeout', ${`${waitMs}ms`}, true))
    select pg_advisory_xact_lock(${KINDS[kind]}, id)
    from patience, unnest(${ids.toSorted((a, b) => a - b)}::integer[]) as i (id)`.execute(trx);
}
