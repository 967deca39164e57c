import { addDays, dayOf, startOf } from '../leagues/calendar.ts';

/**
 * Opening hours (MACH-09): pure functions. A text such as `mon-thu 15:00-23:00, fri 12:00-01:00`
 * has entries separated by commas. An entry whose closing time is not later than its opening time
 * ends on the next day.
 */

const DAYS: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
export const HOURS_MAX = 300;
const EXAMPLE = 'Write them as “mon-thu 15:00-23:00, fri-sat 12:00-01:00”.';

/**
 * A period of a week. `day` is 0 for Monday. Minutes count from the midnight that begins `day`:
 * `to` is over 1440 for a night that ends after midnight.
 */
export type Period = { day: number; from: number; to: number };

/** Opening hours that cannot be parsed. The message says why and what to write. */
export class WrongHours extends Error {}

function minutesOf(typed: string): number {
  const [, hours, minutes] = /^(\d{1,2}):(\d\d)$/.exec(typed) ?? [];
  const all = Number(hours) * 60 + Number(minutes);
  if (!(all <= DAY_MINUTES && Number(minutes) < 60))
    throw new WrongHours(`“${typed}” is no time from 0:00 to 24:00. ${EXAMPLE}`);
  return all;
}

function dayNumber(typed: string): number {
  const day = DAYS.indexOf(typed);
  if (day === -1) throw new WrongHours(`“${typed}” is no day: use ${DAYS.join(', ')}. ${EXAMPLE}`);
  return day;
}

function entryOf(typed: string): Period[] {
  const [, first = '', last = first, begin = '', end = ''] =
    /^([a-z]+)(?: *[-–] *([a-z]+))? +([\d:]+) *[-–] *([\d:]+)$/.exec(typed) ?? [];
  if (first === '') throw new WrongHours(`“${typed}” is no entry of opening hours. ${EXAMPLE}`);
  const [from, until] = [minutesOf(begin), minutesOf(end)];
  if (from === DAY_MINUTES) throw new WrongHours(`“${typed}” begins at 24:00. Write 0:00.`);
  const to = until <= from ? until + DAY_MINUTES : until;
  const [start, stop] = [dayNumber(first), dayNumber(last)];
  const days = ((stop - start + 7) % 7) + 1;
  return Array.from({ length: days }, (_, at) => ({ day: (start + at) % 7, from, to }));
}

const WEEK_MINUTES = 7 * DAY_MINUTES;
const beginOf = ({ day, from }: Period) => day * DAY_MINUTES + from;
const lengthOf = ({ from, to }: Period) => to - from;

/**
 * Parses opening hours into periods in the order of the week.
 * @throws WrongHours for a text that is not in this form, or whose periods overlap.
 */
export function parseHours(text: string): Period[] {
  const typed = text.trim().toLowerCase();
  if (typed.length > HOURS_MAX) throw new WrongHours(`At most ${HOURS_MAX} characters. ${EXAMPLE}`);
  const periods = typed
    .split(',')
    .flatMap((entry) => entryOf(entry.trim()))
    .sort((a, b) => beginOf(a) - beginOf(b));
  for (const [at, period] of periods.entries()) {
    const next = periods[(at + 1) % periods.length] ?? period;
    const gap = (beginOf(next) - beginOf(period) + WEEK_MINUTES) % WEEK_MINUTES || WEEK_MINUTES;
    if (lengthOf(period) > gap || (gap === WEEK_MINUTES && periods.length > 1))
      throw new WrongHours(`The hours that begin on ${DAYS[period.day]} overlap the next ones.`);
  }
  return periods;
}

const timeText = (minutes: number) => {
  const inDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
};

/** The shortest text that `parseHours` parses to these periods. */
export function hoursText(periods: readonly Period[]): string {
  const runs: { first: number; last: number; period: Period }[] = [];
  for (const period of periods) {
    const run = runs.find(
      ({ last, period: { from, to } }) =>
        last === period.day - 1 && from === period.from && to === period.to,
    );
    if (run) run.last = period.day;
    else runs.push({ first: period.day, last: period.day, period });
  }
  return runs
    .map(({ first, last, period: { from, to } }) => {
      const days = first === last ? DAYS[first] : `${DAYS[first]}-${DAYS[last]}`;
      return `${days} ${timeText(from)}-${timeText(to)}`;
    })
    .join(', ');
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's wall clock is ahead of UTC at an instant, in milliseconds. */
function offsetOf(instant: number, zone: string): number {
  let wallClock = wallClocks.get(zone);
  if (wallClock === undefined) {
    // This locale formats a time as YYYY-MM-DD HH:MM:SS.
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

/**
 * The first instant at which a zone's wall clock shows `minutes` after the midnight that begins
 * `day`. A time that the clocks skip moves forward by the length of the gap.
 */
function instantOf(day: string, minutes: number, zone: string): Date {
  const wall = Date.parse(day) + minutes * MINUTE_MS;
  const before = wall - offsetOf(wall - DAY_MS, zone);
  const after = wall - offsetOf(wall + DAY_MS, zone);
  const shown = [before, after]
    .sort((a, b) => a - b)
    .find((instant) => instant + offsetOf(instant, zone) === wall);
  return new Date(shown ?? before);
}

/** A venue's time zone and hours; null: always open. */
export type Opening = { timezone: string; hours: string | null };
/** An opening day: open from `opens` until before `closes`. */
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

/** The opening days that begin between `from` and `to` days after today, in order. */
function nights({ timezone, hours }: Opening, now: Date, from: number, to: number): Night[] {
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

/** The opening day that contains `now`; null while the venue is closed. */
export function openNight(opening: Opening, now: Date): Night | null {
  return (
    nights(opening, now, -1, 0).findLast(({ opens, closes }) => opens <= now && now < closes) ??
    null
  );
}

/** The newest opening day that has begun; null without one in the last week. */
export function lastNight(opening: Opening, now: Date): Night | null {
  return nights(opening, now, -7, 0).findLast(({ opens }) => opens <= now) ?? null;
}

/** When the venue opens next after `now`; null if not within a week. */
export function nextOpening(opening: Opening, now: Date): Date | null {
  return nights(opening, now, 0, 7).find(({ opens }) => opens > now)?.opens ?? null;
}

/** Whether the venue was open for longer than `ms` between `from` and `to`. */
export function wasOpen(opening: Opening, from: Date, to: Date, ms: number): boolean {
  const back = Math.ceil((to.getTime() - from.getTime()) / DAY_MS) + 1;
  // A week contains every opening day once: searching further finds nothing new.
  const all = nights(opening, to, -Math.min(back, 8), 0);
  return all.some(({ opens, closes }) => {
    const open =
      Math.min(closes.getTime(), to.getTime()) - Math.max(opens.getTime(), from.getTime());
    return open > ms;
  });
}
