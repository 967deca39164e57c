import { sql } from 'kysely';
import type { NoticeTime } from '#contract/rules/screens.ts';
import type { NoticeRow } from '#contract/wire/screens.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import type { StoredNotice } from '../db/schema.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { badField } from '../errors.ts';
import { nextClosing, nights, type Opening, readMoment } from '../venues/hours.ts';
import { tonightEnds } from '../venues/tonight.ts';
import { readHours } from '../venues/venues.ts';

/* The notices of venues and screens, and when they are shown (SCREEN-08, HAND-C14). */

const NONE: StoredNotice = {
  notice: null,
  notice_from: null,
  notice_until: null,
  notice_weekly: null,
};

/** The notices of a venue `v` and of a screen `s`. */
export const NOTICES = sql`v.notice, v.notice_from, v.notice_until, v.notice_weekly,
  s.notice as own, s.notice_from as own_from, s.notice_until as own_until,
  s.notice_weekly as own_weekly`;
export type Notices = StoredNotice & {
  own: string | null;
  own_from: Date | null;
  own_until: Date | null;
  own_weekly: string | null;
};

export const noticesOf = (row: Notices): Record<'own' | 'house', StoredNotice> => ({
  house: row,
  own: {
    notice: row.own,
    notice_from: row.own_from,
    notice_until: row.own_until,
    notice_weekly: row.own_weekly,
  },
});

const hasEnded = ({ notice_until }: StoredNotice, now: Date) =>
  notice_until !== null && notice_until <= now;

/** A notice for an answer. Once it has ended, all fields are null. */
export function noticeRow(stored: StoredNotice, now: Date): NoticeRow {
  const { notice, notice_from, notice_until, notice_weekly } = hasEnded(stored, now)
    ? NONE
    : stored;
  return {
    notice,
    notice_from: notice_from?.toISOString() ?? null,
    notice_until: notice_until?.toISOString() ?? null,
    notice_weekly,
  };
}

/** When a notice is shown. Weekly hours are listed only from now to tomorrow (HAND-C14). */
export function timesOf(stored: StoredNotice, timezone: string, now: Date): NoticeTime[] {
  const { notice: text, notice_weekly: hours } = stored;
  if (text === null || hasEnded(stored, now)) return [];
  if (hours === null) {
    const { notice_from, notice_until } = noticeRow(stored, now);
    return [{ text, from: notice_from, until: notice_until }];
  }
  return nights({ timezone, hours }, now, -1, 1)
    .filter(({ closes }) => closes > now)
    .map(({ opens, closes }) => ({
      text,
      from: opens.toISOString(),
      until: closes.toISOString(),
    }));
}

/** When a venue next closes; if it never closes, when tonight ends (SCREEN-05). */
export const closingTime = (opening: Opening, now: Date): Date =>
  nextClosing(opening, now) ?? tonightEnds(now, opening.timezone);

export type TypedNotice = {
  notice: string | null;
  from?: string | null | undefined;
  until?: string | null | undefined;
  weekly?: string | null | undefined;
};

/**
 * A typed notice in its stored form. `from` and `until` are a local time of the venue
 * (`2026-11-23T22:00`) or an instant (`2026-11-23T21:00:00.000Z`); `until` may be the word
 * `closing`.
 * @throws Refusal 400 for an end that is past or not after the start, and for wrong weekly hours.
 */
export function storedOf(typed: TypedNotice, opening: Opening, now: Date): StoredNotice {
  const { notice, from, until, weekly } = typed;
  if (notice === null) return NONE;
  if (weekly) return { ...NONE, notice, notice_weekly: readHours(weekly, 'weekly') };
  const notice_from = from ? readMoment(from, opening.timezone) : null;
  const notice_until =
    until === 'closing'
      ? closingTime(opening, now)
      : until
        ? readMoment(until, opening.timezone)
        : null;
  if (notice_until !== null && notice_until <= now)
    throw badField('until', 'This time is past at the venue. Choose a later one.');
  if (notice_until !== null && notice_from !== null && notice_until <= notice_from)
    throw badField('until', 'It ends before it begins. Choose a later end.');
  return { ...NONE, notice, notice_from, notice_until };
}

/** Where a notice is set: at a venue, or on a screen. The hours are those of the venue. */
export type Place = { table: 'venues' | 'screens'; id: number; venue_id: number } & Opening;

/**
 * Sets the notice of a place; a `notice` of null removes it. Returns the earlier and the new
 * notice.
 * @throws Refusal 400 as `storedOf`.
 */
export async function setNotice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  place: Place,
  typed: TypedNotice,
): Promise<Record<'before' | 'after', NoticeRow>> {
  const { table, id, venue_id } = place;
  return transact(db, async (trx: Database) => {
    const now = clock.now();
    const { rows } = await sql<StoredNotice>`
      select notice, notice_from, notice_until, notice_weekly from ${sql.table(table)}
      where id = ${id} for update`.execute(trx);
    const after = storedOf(typed, place, now);
    await sql`
      update ${sql.table(table)} set notice = ${after.notice}, notice_from = ${after.notice_from},
        notice_until = ${after.notice_until}, notice_weekly = ${after.notice_weekly}
      where id = ${id}`.execute(trx);
    await notify(trx, { venue: [venue_id] });
    return { before: noticeRow(rows[0] ?? NONE, now), after: noticeRow(after, now) };
  });
}
