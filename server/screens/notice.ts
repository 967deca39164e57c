import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import { instantOf, nextOpening, type Opening, openNight } from '../venues/hours.ts';
import { tonightEnds } from './tonight.ts';

/* The notice of a venue, and its end (SCREEN-08). */

/** A notice as stored. `until` null means that staff take it away. */
export type StoredNotice = { notice: string | null; notice_until: Date | null };

/** The notice that screens show at `now`: none once its end has come. */
export function shownNotice({ notice, notice_until }: StoredNotice, now: Date): StoredNotice {
  const ended = notice_until !== null && notice_until <= now;
  return notice === null || ended ? { notice: null, notice_until: null } : { notice, notice_until };
}

/**
 * When a venue closes: at the end of the running or the next opening day. A venue without opening
 * hours closes when tonight ends (SCREEN-05). Null if it does not open within a week.
 */
export function closingTime(opening: Opening, now: Date): Date | null {
  if (opening.hours === null) return tonightEnds(now, opening.timezone);
  const next = nextOpening(opening, now);
  const night = openNight(opening, now) ?? (next && openNight(opening, next));
  return night?.closes ?? null;
}

/**
 * The end of a notice. `until` is `closing`, or a day and time on the venue's clock such as
 * `2026-11-23T22:00`; null for a notice without an end.
 * @throws Refusal 400 for a time that is past, and for `closing` at a venue that does not open
 * within a week.
 */
export function endOf(until: string | null, opening: Opening, now: Date): Date | null {
  if (until === null) return null;
  if (until === 'closing') {
    const closing = closingTime(opening, now);
    if (closing === null)
      throw badField('until', 'The venue does not open within a week. Give a day and a time.');
    return closing;
  }
  const [day = '', time = ''] = until.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const end = instantOf(day, hours * 60 + minutes, opening.timezone);
  if (end <= now) throw badField('until', 'This time is past at the venue. Choose a later one.');
  return end;
}

/**
 * Sets the notice of a venue's screens until `until` (as in `endOf`); null removes the notice.
 * Returns the notice that the screens showed before, and the new one.
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
