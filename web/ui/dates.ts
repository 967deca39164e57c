import { LONG_MONTHS } from './months.ts';
import { clockTime, isSameDay } from './times.ts';

// These names do not come from `Intl`: some browsers write "Sept" or a comma.
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** "20 Nov" in the phone's time zone; with the year unless it is that of `now`. */
export function dayAndMonth(date: Date, now: Date): string {
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === now.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

export function weekdayAndDay(date: Date, now: Date): string {
  return `${DAYS[date.getDay()]} ${dayAndMonth(date, now)}`;
}

/** "Fri, 19:40". Only for times that are less than a week away. */
export const weekdayAndTime = (date: Date): string => `${DAYS[date.getDay()]}, ${clockTime(date)}`;

/** "Sun 27 December" in the phone's time zone. */
export const weekdayAndLongDay = (date: Date): string =>
  `${DAYS[date.getDay()]} ${date.getDate()} ${LONG_MONTHS[date.getMonth()]}`;

/** "Sunday 27 December"; `day` is `YYYY-MM-DD`. */
export function fullDay(day: string): string {
  const date = new Date(day);
  return `${LONG_DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]}`;
}

/** "Sunday 27 December" in the phone's time zone. */
export function fullDayOf(date: Date): string {
  return `${LONG_DAYS[date.getDay()]} ${date.getDate()} ${LONG_MONTHS[date.getMonth()]}`;
}

const RECENT_MS = 6 * 24 * 3_600_000;

/** "19:21" today, "Thursday 21:05" in the last six days, otherwise "19 Nov 21:05". */
export function recentTime(date: Date, now: Date): string {
  const time = clockTime(date);
  if (isSameDay(date, now)) return time;
  const recent = now.getTime() - date.getTime() < RECENT_MS;
  return `${recent ? LONG_DAYS[date.getDay()] : dayAndMonth(date, now)} ${time}`;
}

/** "9 November"; `day` is `YYYY-MM-DD`. */
export function dayAndLongMonth(day: string): string {
  const date = new Date(day);
  return `${date.getUTCDate()} ${LONG_MONTHS[date.getUTCMonth()]}`;
}

/** "9–15 Nov" or "28 Sep – 4 Oct"; days are `YYYY-MM-DD`. */
export function dayRange(from: string, to: string): string {
  const [first, last] = [new Date(from), new Date(to)];
  const month = (date: Date) => MONTHS[date.getUTCMonth()];
  const end = `${last.getUTCDate()} ${month(last)}`;
  return month(first) === month(last)
    ? `${first.getUTCDate()}–${end}`
    : `${first.getUTCDate()} ${month(first)} – ${end}`;
}
