/**
 * Days and weeks in a time zone: pure, no database, no clock. docs/leagues.md has the rules in words;
 * its worked examples are tests of this file.
 */

const DAY_MS = 24 * 3_600_000;

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(zone: string): Intl.DateTimeFormat {
  let calendar = calendars.get(zone);
  if (calendar === undefined) {
    // This locale writes a date as YYYY-MM-DD.
    calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    calendars.set(zone, calendar);
  }
  return calendar;
}

/** The calendar day, `YYYY-MM-DD`, of an instant in an IANA zone. @throws RangeError: no such zone. */
export function dayOf(instant: Date, zone: string): string {
  return calendarOf(zone).format(instant);
}

/** The day `days` after a day (before it, when negative), both `YYYY-MM-DD`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday of the week in which a day lies, both `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** The league week in which an instant lies, named by its Monday in the league's zone. */
export function weekOf(instant: Date, zone: string): string {
  return mondayOf(dayOf(instant, zone));
}

const starts = new Map<string, Date>();
/** Days that are asked for are few: the ends of the present week and of leagues' seasons. */
const STARTS_MAX = 1_000;

/**
 * The instant at which a day begins in a zone: the first that the zone's calendar shows on it, also
 * where the clocks leave out midnight. Days last 23, 24 or 25 hours as the zone has it. Found once:
 * the search takes 50 µs, as long as all the rest of an answer.
 */
export function startOf(day: string, zone: string): Date {
  const key = `${day} ${zone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  // Zones lie between 12 hours behind and 14 hours ahead of UTC.
  let before = Date.parse(day) - DAY_MS;
  let after = Date.parse(day) + DAY_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else after = middle;
  }
  if (starts.size >= STARTS_MAX) starts.clear();
  const start = new Date(after);
  starts.set(key, start);
  return start;
}

/** The number of a week in its league, from 1 for the one in which the league begins. */
export function weekNumber(week: string, startsOn: string): number {
  return (Date.parse(week) - Date.parse(startsOn)) / (7 * DAY_MS) + 1;
}
