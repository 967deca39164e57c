import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../deps.ts';
import { deleteUnfinished } from '../players/erase.ts';
import { PAUSED_LINK_MS } from './codes.ts';
import { IDLE_MS } from './sessions.ts';

const DAY_MS = 24 * 3_600_000;
const UNVERIFIED_LIFE_MS = 7 * DAY_MS;
const UNFINISHED_LIFE_MS = 30 * DAY_MS;
/** One statement deletes, and so locks, at most this many rows. */
const BATCH = 10_000;

/**
 * The nightly job (P28): deletes expired rows and unfinished accounts. Skips locked rows. It scans
 * whole tables, so `db` must have no timeouts (P38). Returns the numbers of deleted rows.
 */
export async function cleanUp({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<
  Record<'players' | 'sessions' | 'codes' | 'limits', number>
> {
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const inBatches = async (deleteSome: (limit: number) => Promise<number>) => {
    for (let all = 0; ; ) {
      const deleted = await deleteSome(BATCH);
      all += deleted;
      if (deleted < BATCH) return all;
    }
  };
  const expired = (table: string, over: RawBuilder<unknown>) =>
    inBatches(async (limit) => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ctid in
          (select ctid from ${sql.table(table)} where ${over}
           limit ${limit} for update skip locked)`.execute(db);
      return Number(numAffectedRows);
    });
  return {
    sessions: await expired(
      'sessions',
      sql`expires_at <= ${now} or last_used_at <= ${before(IDLE_MS)}`,
    ),
    // While password sign-in is paused, reset links live for a day, not an hour (P79d).
    codes: await expired('codes', sql`expires_at <= ${before(PAUSED_LINK_MS)}`),
    limits: await expired('limits', sql`resets_at <= ${now}`),
    players: await inBatches((limit) =>
      deleteUnfinished(
        db,
        {
          unverifiedBefore: before(UNVERIFIED_LIFE_MS),
          unfinishedBefore: before(UNFINISHED_LIFE_MS),
        },
        limit,
      ),
    ),
  };
}
