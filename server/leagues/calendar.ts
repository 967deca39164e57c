/** Days and weeks in a time zone, tested with the examples of docs/leagues.md. */

const DAY_MS = 24 * 3_600_000;

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(zone: string): Intl.DateTimeFormat {
  let calendar = calendars.get(zone);
  if (calendar === undefined) {
    calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    calendars.set(zone, calendar);
  }
  return calendar;
}

/** The day (`YYYY-MM-DD`) of an instant in an IANA zone. @throws RangeError for an unknown one. */
export function dayOf(instant: Date, zone: string): string {
  return calendarOf(zone).format(instant);
}

/** Adds `days`, which may be negative, to a day (`YYYY-MM-DD`). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday of a day's week, as `YYYY-MM-DD`. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

/** The Monday of an instant's week in a zone (LEAGUE-01). */
export function weekOf(instant: Date, zone: string): string {
  return mondayOf(dayOf(instant, zone));
}

const starts = new Map<string, Date>();
const STARTS_MAX = 1_000;

/**
 * A day's first instant in a zone: midnight, unless clocks skip it. Cached: the search takes 50 µs.
 */
export function startOf(day: string, zone: string): Date {
  const key = `${day} ${zone}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  // Offsets are -12 h to +14 h, so a day on each side is enough.
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

/** Names that PostgreSQL reads as fixed offsets, and Intl as zones with summer time. */
const AMBIGUOUS = new Set(['CET', 'EET', 'MET', 'WET']);

/** A zone's name in its official case; null for an unknown name, or an offset such as +02:00. */
export function zoneNamed(typed: string): string | null {
  if (!/^[A-Za-z]/.test(typed) || AMBIGUOUS.has(typed.toUpperCase())) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions();
    // Keep old names that Intl replaces, such as Asia/Calcutta.
    return timeZone.toLowerCase() === typed.toLowerCase() ? timeZone : typed;
  } catch {
    return null;
  }
}

/** A week's number in its league, from 1. */
export function weekNumber(week: string, startsOn: string): number {
  return (Date.parse(week) - Date.parse(startsOn)) / (7 * DAY_MS) + 1;
}
