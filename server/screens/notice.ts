import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import { nextClosing, type Opening, readMoment } from '../venues/hours.ts';
import { tonightEnds } from '../venues/tonight.ts';

/* A venue's notice, and when it expires (SCREEN-08). */

/** `notice_until` is null if the notice stays until staff remove it. */
export type StoredNotice = { notice: string | null; notice_until: Date | null };

/** The notice at `now`; null if it has expired. */
export function shownNotice({ notice, notice_until }: StoredNotice, now: Date): StoredNotice {
  const ended = notice_until !== null && notice_until <= now;
  return notice === null || ended ? { notice: null, notice_until: null } : { notice, notice_until };
}

/** When a venue next closes; if it never closes, when tonight ends (SCREEN-05). */
export const closingTime = (opening: Opening, now: Date): Date =>
  nextClosing(opening, now) ?? tonightEnds(now, opening.timezone);

/**
 * When a notice expires; null: never. `until` is one of: the word `closing`; a local time of the
 * venue (`2026-11-23T22:00`); an instant (`2026-11-23T21:00:00.000Z`); null.
 * @throws Refusal 400 for a time in the past.
 */
export function endOf(until: string | null, opening: Opening, now: Date): Date | null {
  if (until === null) return null;
  if (until === 'closing') return closingTime(opening, now);
  const end = readMoment(until, opening.timezone);
  if (end <= now) throw badField('until', 'This time is past at the venue. Choose a later one.');
  return end;
}

/**
 * Sets a venue's notice until `until` (as in `endOf`); `notice` null removes it. Returns the notice
 * shown before, and the new one.
 * @throws Refusal 400 as `endOf`.
 */
export async function setNotice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  venueId: number,
  notice: string | null,
  until: string | null = null,
): Promise<{ before: StoredNotice; after: StoredNotice; timezone: string }> {
  return transact(db, async (trx: Database) => {
    const now = clock.now();
    const venue = await trx
      .selectFrom('venues')
      .select(['notice', 'notice_until', 'timezone', 'hours'])
      .where('id', '=', venueId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const after = { notice, notice_until: notice === null ? null : endOf(until, venue, now) };
    await trx.updateTable('venues').set(after).where('id', '=', venueId).execute();
    await notify(trx, { venue: [venueId] });
    return { before: shownNotice(venue, now), after, timezone: venue.timezone };
  });
}
