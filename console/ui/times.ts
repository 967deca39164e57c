import { serverDate } from '../../web/ui/server-clock.ts';

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const year = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
const DAY_MS = 24 * 3_600_000;

/** `22:04` */
export const clockTime = (date: Date | string): string => time.format(new Date(date));

/** `Sun 22 Nov, 22:04` */
export function dayAndTime(date: Date | string): string {
  const at = new Date(date);
  return `${weekday.format(at).replace(',', '')}, ${time.format(at)}`;
}

/** `Mon 30 Nov` for `2026-11-30`, with the year if it is not the current one; null for no date. */
export function dayInWords(typed: unknown, now = serverDate()): string | null {
  if (typeof typed !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(typed)) return null;
  const [years = 0, month = 1, day = 1] = typed.split('-').map(Number);
  const words = weekday.format(new Date(years, month - 1, day)).replace(',', '');
  return years === now.getFullYear() ? words : `${words} ${years}`;
}

/** `22:04` today, `yesterday, 22:04`, `Thu 19 Nov` within half a year, otherwise `19 Nov 2025`. */
export function when(date: Date | string, now = serverDate()): string {
  const at = new Date(date);
  const days = Math.round((dayOf(now).getTime() - dayOf(at).getTime()) / DAY_MS);
  if (days === 0) return time.format(at);
  if (days === 1) return `yesterday, ${time.format(at)}`;
  return Math.abs(days) < 180 ? weekday.format(at).replace(',', '') : year.format(at);
}

/** `Today 22:04`, `Thu 19 Nov 09:10`. */
export function logTime(date: Date | string, now = serverDate()): string {
  const at = new Date(date);
  if (dayOf(at).getTime() === dayOf(now).getTime()) return `Today ${time.format(at)}`;
  return dayAndTime(at).replace(', ', ' ');
}

/** `today 22:04`, as `logTime` inside a sentence. */
export const timeInLine = (date: Date | string, now = serverDate()): string =>
  logTime(date, now).replace('Today', 'today');

/**
 * `22:04` for today or within 12 hours, because a night ends after midnight; otherwise `Thu 19 Nov
 * 22:04`.
 */
export function nightTime(date: Date | string, now = serverDate()): string {
  const at = new Date(date);
  const recent = Math.abs(now.getTime() - at.getTime()) < DAY_MS / 2;
  return recent || dayOf(at).getTime() === dayOf(now).getTime()
    ? time.format(at)
    : logTime(at, now);
}

/** A time within the next week: `18:00` today, otherwise `Sun 18:00`. */
export function soon(date: Date | string, now = serverDate()): string {
  const at = new Date(date);
  if (dayOf(at).getTime() === dayOf(now).getTime()) return time.format(at);
  return `${weekday.format(at).slice(0, 3)} ${time.format(at)}`;
}

/** `1 machine`, `3 machines`, `1,204 games`. */
export function count(many: number, one: string, more = `${one}s`): string {
  return `${many.toLocaleString('en')} ${many === 1 ? one : more}`;
}

/** The time `at` on the clock of a zone, as the value of a datetime-local input. */
export const inputTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');

/** The ms from one value of a datetime-local input to another; NaN if one is not complete. */
export const inputSpan = (from: string, to: string): number =>
  Date.parse(`${to}Z`) - Date.parse(`${from}Z`);

/** A value of a datetime-local input, so many ms later on the same clock. */
export const inputLater = (value: string, ms: number): string =>
  new Date(Date.parse(`${value}Z`) + ms).toISOString().slice(0, 16);
