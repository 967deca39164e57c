import { addDays, dayOf } from '../leagues/calendar.ts';
import { instantOf } from './hours.ts';

/** The hour when "tonight" begins, in the venue's zone (SCREEN-05). */
const BEGINS_AT = 6;

const beginOf = (day: string, zone: string) => instantOf(day, BEGINS_AT * 60, zone);

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
