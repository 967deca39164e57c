import { DAY_MINUTES, type Period, parseHours } from '#contract/rules/opening-hours.ts';
import { addDays, dayOf, startOf } from '../leagues/calendar.ts';

// A venue's opening hours as instants (MACH-09).

const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
/** A week and a day, because the opening day before may reach into the week. */
const SEARCH_DAYS = 8;

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/**
 * How far a zone's clock is ahead of UTC.
 * @throws RangeError for an unknown zone
 */
export function offsetMs(instant: number, zone: string): number {
  let wallClock = wallClocks.get(zone);
  if (wallClock === undefined) {
    // This locale writes YYYY-MM-DD HH:MM:SS.
    wallClock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    wallClocks.set(zone, wallClock);
  }
  const shown = Date.parse(`${wallClock.format(instant).replace(' ', 'T')}Z`);
  return shown - Math.floor(instant / 1000) * 1000;
}

/** How far ahead `nextOffset` looks: beyond what a screen shows. */
const OFFSET_WEEKS = 10;

/**
 * The next change of a zone's offset, to the minute, and the offset from then on; null if none comes
 * within ten weeks.
 */
export function nextOffset(now: Date, zone: string): { at: Date; offset_ms: number } | null {
  const offset = offsetMs(now.getTime(), zone);
  const changed = (minute: number) => offsetMs(minute * MINUTE_MS, zone) !== offset;
  const week = (7 * DAY_MS) / MINUTE_MS;
  let before = Math.floor(now.getTime() / MINUTE_MS);
  const end = before + OFFSET_WEEKS * week;
  while (before < end && !changed(before + week)) before += week;
  if (before >= end) return null;
  let after = before + week;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (changed(middle)) after = middle;
    else before = middle;
  }
  return { at: new Date(after * MINUTE_MS), offset_ms: offsetMs(after * MINUTE_MS, zone) };
}

/**
 * When a zone's clock first shows `minutes` after the midnight that begins `day`. A skipped time
 * moves forward by the gap.
 */
export function instantOf(day: string, minutes: number, zone: string): Date {
  const wall = Date.parse(day) + minutes * MINUTE_MS;
  const before = wall - offsetMs(wall - DAY_MS, zone);
  const after = wall - offsetMs(wall + DAY_MS, zone);
  const shown = [before, after]
    .sort((a, b) => a - b)
    .find((instant) => instant + offsetMs(instant, zone) === wall);
  return new Date(shown ?? before);
}

/** Reads `2026-11-27T19:00` on a zone's clock, or an instant with Z. */
export function readMoment(text: string, zone: string): Date {
  if (text.endsWith('Z')) return new Date(text);
  const [day = '', time = ''] = text.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return instantOf(day, hours * 60 + minutes, zone);
}

const minuteOf = (instant: Date) => new Date(Math.floor(+instant / MINUTE_MS) * MINUTE_MS);

/** Like `readMoment`, but also reads the word `now`, which means the running minute. */
export const readBegin = (text: string, zone: string, now: Date): Date =>
  text === 'now' ? minuteOf(now) : readMoment(text, zone);

/** Whether a start is in the past. One in the running minute is not. */
export const isPast = (begin: Date, now: Date): boolean => begin < minuteOf(now);

/** `hours` null: always open. */
export type Opening = { timezone: string; hours: string | null };
/** An opening day, which may end after midnight. */
export type Night = { opens: Date; closes: Date };

const parsed = new Map<string, Period[]>();
const PARSED_MAX = 1_000;
function periodsOf(hours: string): Period[] {
  let periods = parsed.get(hours);
  if (periods === undefined) {
    if (parsed.size >= PARSED_MAX) parsed.clear();
    periods = parseHours(hours);
    parsed.set(hours, periods);
  }
  return periods;
}

/** The opening days in order. `from` and `to` count days from today. */
export function nights({ timezone, hours }: Opening, now: Date, from: number, to: number): Night[] {
  const today = dayOf(now, timezone);
  return Array.from({ length: to - from + 1 }, (_, at) => addDays(today, from + at)).flatMap(
    (day): Night[] => {
      if (hours === null)
        return [{ opens: startOf(day, timezone), closes: startOf(addDays(day, 1), timezone) }];
      const weekday = (new Date(day).getUTCDay() + 6) % 7;
      return periodsOf(hours)
        .filter((period) => period.day === weekday)
        .map(({ from: opens, to: closes }) => ({
          opens: instantOf(day, opens, timezone),
          closes: instantOf(day, closes, timezone),
        }))
        .filter(({ opens, closes }) => closes > opens);
    },
  );
}

/** The opening day at `now`; null if the venue is closed. */
export function openNight(opening: Opening, now: Date): Night | null {
  return (
    nights(opening, now, -1, 0).findLast(({ opens, closes }) => opens <= now && now < closes) ??
    null
  );
}

/** The newest opening day that has begun; null if none began within a week. */
export function lastNight(opening: Opening, now: Date): Night | null {
  return nights(opening, now, -7, 0).findLast(({ opens }) => opens <= now) ?? null;
}

/** The first opening after `now`; null if none within a week. */
export function nextOpening(opening: Opening, now: Date): Date | null {
  return nights(opening, now, 0, 7).find(({ opens }) => opens > now)?.opens ?? null;
}

/** Merges opening days that follow each other without a gap. */
function joined(all: readonly Night[]): Night[] {
  const spells: Night[] = [];
  for (const night of all) {
    const last = spells.at(-1);
    if (last !== undefined && night.opens <= last.closes)
      spells.splice(-1, 1, { opens: last.opens, closes: night.closes });
    else spells.push(night);
  }
  return spells;
}

/** Since when the venue is open without a break: null if closed, the epoch if it never closes. */
export function openSince(opening: Opening, now: Date): Date | null {
  const spells = joined(nights(opening, now, -SEARCH_DAYS, 0));
  const spell = spells.findLast(({ opens, closes }) => opens <= now && now < closes);
  if (spell === undefined) return null;
  // A venue that is open for more than a week never closes.
  return now.getTime() - spell.opens.getTime() > 7 * DAY_MS ? new Date(0) : spell.opens;
}

/** The end of the current unbroken open period, or of the next; null if the venue never closes. */
export function nextClosing(opening: Opening, now: Date): Date | null {
  if (opening.hours === null) return null;
  // The next opening may be a week away, and last for most of another week.
  const spells = joined(nights(opening, now, -SEARCH_DAYS, 2 * SEARCH_DAYS));
  const next = spells.find(({ closes }) => closes > now);
  if (next === undefined) return null;
  return next.closes.getTime() - next.opens.getTime() > 7 * DAY_MS ? null : next.closes;
}

/** Whether the venue was open for longer than `ms` without a break between `from` and `to`. */
export function wasOpen(opening: Opening, from: Date, to: Date, ms: number): boolean {
  const back = Math.ceil((to.getTime() - from.getTime()) / DAY_MS) + 1;
  // Hours repeat each week, so there is no need to look back further.
  const all = joined(nights(opening, to, -Math.min(back, SEARCH_DAYS), 0));
  return all.some(({ opens, closes }) => {
    const open =
      Math.min(closes.getTime(), to.getTime()) - Math.max(opens.getTime(), from.getTime());
    return open > ms;
  });
}
