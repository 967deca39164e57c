import type { ScreenAnswer } from '#contract/wire/screens.ts';

/** The venue's time. The server sends the offsets: an old television has outdated zones. */

/** An earlier version sent no `utc_change`. */
export type Zone = Pick<ScreenAnswer['venue'], 'utc_offset'> &
  Partial<Pick<ScreenAnswer['venue'], 'utc_change'>>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const two = (value: number) => String(value).padStart(2, '0');

/** The date whose UTC fields are the clock of `zone` at `at`. */
function localOf(at: number, { utc_offset, utc_change }: Zone): Date {
  const offset = utc_change && at >= Date.parse(utc_change.at) ? utc_change.utc_offset : utc_offset;
  return new Date(at + offset * MINUTE_MS);
}

/** `20:14` */
export function clockText(at: number, zone: Zone): string {
  const local = localOf(at, zone);
  return `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
}

/** The hour (0 to 23) and the days since 1970. */
export function hourOf(at: number, zone: Zone): { hour: number; day: number } {
  const local = localOf(at, zone);
  return { hour: local.getUTCHours(), day: Math.floor(local.getTime() / DAY_MS) };
}

/** `20:14` on the day of `now`, else `Sat 5 Dec, 20:14`. */
export function timeText(at: number, now: number, zone: Zone): string {
  const time = clockText(at, zone);
  if (hourOf(at, zone).day === hourOf(now, zone).day) return time;
  const local = localOf(at, zone);
  const [day, month] = [WEEKDAYS[local.getUTCDay()], MONTHS[local.getUTCMonth()]] as [
    string,
    string,
  ];
  return `${day.slice(0, 3)} ${local.getUTCDate()} ${month}, ${time}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * When a week closes: `closes Sunday`, on its last day `closes tonight`, in the last hour `closes in
 * 40 min` (HAND-T6). `closed` afterwards, while the line is lost.
 */
export function closesText(closesAt: number, now: number, zone: Zone): string {
  if (now >= closesAt) return 'closed';
  if (closesAt - now < HOUR_MS) return `closes in ${timeLeft(closesAt - now)}`;
  const last = closesAt - 1;
  if (hourOf(last, zone).day === hourOf(now, zone).day) return 'closes tonight';
  return `closes ${WEEKDAYS[localOf(last, zone).getUTCDay()]}`;
}

/** Formats a duration, at least a minute: `1 d 3 h`, `3 h 20 min`, `20 min`. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  if (days > 0) return `${days} d ${hours - days * 24} h`;
  return hours > 0 ? `${hours} h ${minutes - hours * 60} min` : `${minutes} min`;
}
