/** The venue's time. The server sends the offset: an old television has outdated zones. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const two = (value: number) => String(value).padStart(2, '0');

/** `20:14`, in a zone `offset` minutes ahead of UTC. */
export function clockText(at: number, offset: number): string {
  const local = new Date(at + offset * MINUTE_MS);
  return `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
}

/** The hour (0 to 23) and the days since 1970, in a zone `offset` minutes ahead of UTC. */
export function hourOf(at: number, offset: number): { hour: number; day: number } {
  const local = at + offset * MINUTE_MS;
  return { hour: new Date(local).getUTCHours(), day: Math.floor(local / DAY_MS) };
}

/** `20:14` on the day of `now`, else `Sat 5 Dec, 20:14`, in a zone `offset` minutes ahead of UTC. */
export function timeText(at: number, now: number, offset: number): string {
  const time = clockText(at, offset);
  if (hourOf(at, offset).day === hourOf(now, offset).day) return time;
  const local = new Date(at + offset * MINUTE_MS);
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
 * 40 min`. In a zone `offset` minutes ahead of UTC (HAND-T6).
 */
export function closesText(closesAt: number, now: number, offset: number): string {
  if (closesAt - now < HOUR_MS) return `closes in ${timeLeft(closesAt - now)}`;
  const last = closesAt - 1;
  if (hourOf(last, offset).day === hourOf(now, offset).day) return 'closes tonight';
  return `closes ${WEEKDAYS[new Date(last + offset * MINUTE_MS).getUTCDay()]}`;
}

/** Formats a duration, at least a minute: `1 d 3 h`, `3 h 20 min`, `20 min`. */
export function timeLeft(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  if (days > 0) return `${days} d ${hours - days * 24} h`;
  return hours > 0 ? `${hours} h ${minutes - hours * 60} min` : `${minutes} min`;
}
