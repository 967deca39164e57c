import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/* What the nightly clean-up does with devices, notices and keys. */

/** A device that was not seen for this long is removed (PUSH-36). */
const UNSEEN_MS = 60 * 24 * 3_600_000;
/** A device that failed this often, for this long, is removed (PUSH-49). */
const FAILURES_MAX = 20;
const FAILING_MS = 7 * 24 * 3_600_000;

/** How long notices are kept after their cause. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** How long it is kept that a browser was turned off (PUSH-33). */
const OFF_KEPT_MS = 400 * 24 * 3_600_000;
/** A retired key pair signs this long for the devices that subscribed with it (PUSH-45). */
const RETIRED_MS = 60 * 24 * 3_600_000;
/** Margin for sessions that expire while the clean-up runs. */
const SOON_MS = 60_000;

/**
 * Removes devices that were not seen, or failed, for too long. Deletes old notices, records of
 * browsers that were turned off, and key pairs with the devices that such a pair signs for (P70).
 * Must run before expired sessions are deleted, so that their devices stay (PUSH-36). Returns how
 * many devices were removed.
 * @param idleMs a session expires after this time without use
 */
export async function cleanUpPush(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  idleMs: number,
): Promise<number> {
  const now = clock.now().getTime();
  const before = (ms: number) => new Date(now - ms);
  await sql`
    update push_devices d set session_id = null from sessions s
    where s.id = d.session_id
      and (s.expires_at <= ${before(-SOON_MS)} or s.last_used_at <= ${before(idleMs - SOON_MS)})`.execute(
    db,
  );
  await sql`delete from push_notices where caused_at < ${before(KEPT_MS)}`.execute(db);
  await sql`delete from push_off where at < ${before(OFF_KEPT_MS)}`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    delete from push_devices where seen_at <= ${before(UNSEEN_MS)}
      or failures >= ${FAILURES_MAX} and failing_since <= ${before(FAILING_MS)}
      or key_id in (select id from push_keys where retired_at < ${before(RETIRED_MS)})`.execute(db);
  await sql`delete from push_keys where retired_at < ${before(RETIRED_MS)}`.execute(db);
  return Number(numAffectedRows);
}
