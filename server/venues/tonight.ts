import { addDays, dayOf, startOf } from '../leagues/calendar.ts';

/** The hour when "tonight" begins, in the venue's zone (SCREEN-05). */
const BEGINS_AT = 6;
const HOUR_MS = 3_600_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a zone's clock shows, in ms since 1970 as if it were UTC. */
function wallClock(instant: Date, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    clocks.set(zone, clock);
  }
  const part = Object.fromEntries(
    clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/**
 * A zone's minutes ahead of UTC.
 * @throws RangeError for an unknown zone
 */
export function offsetOf(instant: Date, zone: string): number {
  const seconds = Math.floor(instant.getTime() / 1000) * 1000;
  return Math.round((wallClock(instant, zone) - seconds) / 60_000);
}

/** 06:00 on a day in a zone, even if the clocks change that night. */
function beginOf(day: string, zone: string): Date {
  const guess = new Date(startOf(day, zone).getTime() + BEGINS_AT * HOUR_MS);
  const wanted = Date.parse(day) + BEGINS_AT * HOUR_MS;
  return new Date(guess.getTime() + wanted - wallClock(guess, zone));
}

/** The next 06:00 in the venue's zone (SCREEN-05). */
export function tonightEnds(now: Date, zone: string): Date {
  return beginOf(addDays(dayOf(tonightBegan(now, zone), zone), 1), zone);
}

/** The last 06:00 in the venue's zone (SCREEN-05). */
export function tonightBegan(now: Date, zone: string): Date {
  const today = dayOf(now, zone);
  const begin = beginOf(today, zone);
  return begin <= now ? begin : beginOf(addDays(today, -1), zone);
}
