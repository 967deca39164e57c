import { NOTICES_A_DAY, QUIET_FROM, QUIET_UNTIL } from '#contract/rules/push.ts';
import { addDays, dayOf, startOf, zoneNamed } from '../leagues/calendar.ts';

/* When a player may be told something (PUSH-10, PUSH-11). */

const APART_MS = 5 * 60_000;

export const isZone = (zone: string): boolean => zoneNamed(zone) !== null;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The hour on the clock of a zone. `instant`: ms since 1970. */
export function hourOf(instant: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' });
    clocks.set(zone, clock);
  }
  return Number(clock.format(instant));
}

/** The first instant of `day` at which the zone's clock shows `hour` or later. */
export function hourOn(day: string, hour: number, zone: string): Date {
  let before = startOf(day, zone).getTime() - 1;
  let after = startOf(addDays(day, 1), zone).getTime();
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (hourOf(middle, zone) < hour) before = middle;
    else after = middle;
  }
  return new Date(after);
}

const moments = new Map<string, Intl.DateTimeFormat>();

/** An instant on the clock of a zone: 'Wed' and '19:34'. */
export function moment(at: Date, zone: string): { day: string; time: string } {
  let form = moments.get(zone);
  if (form === undefined) {
    form = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    moments.set(zone, form);
  }
  const parts = Object.fromEntries(form.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: parts.weekday ?? '', time: `${parts.hour}:${parts.minute}` };
}

/** When the player last got a notice, and how many (`sent`) on the local day `sent_on`. */
export type Sent = { last_sent_at: Date | null; sent_on: string | null; sent: number };

/** The first moment from `now` on outside the quiet hours (PUSH-10). */
export const afterQuiet = (now: Date, zone: string): Date =>
  nextMoment(now, zone, { last_sent_at: null, sent_on: null, sent: 0 });

/** The first moment from `now` on at which the player may be told something (PUSH-12). */
export function nextMoment(now: Date, zone: string, { last_sent_at, sent_on, sent }: Sent): Date {
  let at = Math.max(now.getTime(), (last_sent_at?.getTime() ?? 0) + APART_MS);
  for (;;) {
    const day = dayOf(new Date(at), zone);
    const isFull = day === sent_on && sent >= NOTICES_A_DAY;
    if (!isFull && hourOf(at, zone) < QUIET_FROM)
      return new Date(Math.max(at, hourOn(day, QUIET_UNTIL, zone).getTime()));
    at = startOf(addDays(day, 1), zone).getTime();
  }
}
