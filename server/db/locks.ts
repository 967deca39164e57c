import { sql } from 'kysely';
import type { Queryable } from './transaction.ts';

/** An advisory lock's first key; the second is an id. */
const KINDS = { machine: 1, corrections: 2, staff: 3, push: 4 } as const;

/**
 * Longer than P38's lock timeout, so that fifty transactions can queue. Shorter than the statement
 * timeout.
 */
const TIMEOUT_MS = 4_500;

/**
 * Takes advisory locks by ascending id and holds them until the transaction ends. Sets the
 * transaction's lock timeout to `timeoutMs`.
 * @throws PostgreSQL's lock timeout (55P03), which is answered with 503.
 */
export async function lockPatiently(
  trx: Queryable,
  kind: keyof typeof KINDS,
  ids: readonly number[] = [0],
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  await sql`
    with patience as materialized (select set_config('lock_timeout', ${`${timeoutMs}ms`}, true))
    select pg_advisory_xact_lock(${KINDS[kind]}, id)
    from patience, unnest(${ids.toSorted((a, b) => a - b)}::integer[]) as i (id)`.execute(trx);
}
