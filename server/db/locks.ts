import { sql } from 'kysely';
import type { Queryable } from './transaction.ts';

/** First keys of advisory locks, for things without a row to lock. One list keeps them distinct. */
const KINDS = { machine: 1, corrections: 2 } as const;

/**
 * Long enough for a queue of fifty, unlike the lock timeout of P38; below the statement timeout.
 */
const TIMEOUT_MS = 4_500;

/**
 * Takes advisory locks until the transaction ends, in the order of their ids. The transaction's lock
 * timeout is `timeoutMs` from then on.
 * @throws the lock timeout of PostgreSQL (55P03), which is answered with 503.
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
