import {
  DAY_MINUTES,
  DAY_NAMES,
  DAYS,
  hoursText,
  parseHours,
  timeText,
} from '#contract/rules/opening-hours.ts';

/**
 * The values of two time inputs: `18:00` and `01:00`. If `to` is not after `from`, it ends on the
 * next day.
 */
export type Span = { from: string; to: string };
/** The spans of each day, Monday first. */
export type Week = readonly (readonly Span[])[];

/** No day has hours. */
export const NO_DAYS: Week = DAYS.map(() => []);
const USUAL: Span = { from: '12:00', to: '23:00' };

/** A closing time for a time input, which has no 24:00. */
const closing = (minutes: number) => timeText(minutes === DAY_MINUTES ? 0 : minutes);

/** Parses opening hours (MACH-09); null: no day has any. */
export function weekOf(text: string | null): Week {
  if (text === null) return NO_DAYS;
  const periods = parseHours(text);
  return DAYS.map((_, at) =>
    periods
      .filter(({ day }) => day === at)
      .map(({ from, to }) => ({ from: timeText(from), to: closing(to) })),
  );
}

/**
 * A week as the server stores it.
 * @throws WrongHours if spans overlap; Error if no day has hours, or a time is missing.
 */
export function textOf(week: Week): string {
  if (week.some((spans) => spans.some(({ from, to }) => from === '' || to === '')))
    throw new Error('Fill in the times.');
  const entries = week.flatMap((spans, at) =>
    spans.map(({ from, to }) => `${DAYS[at]} ${from}-${to}`),
  );
  if (entries.length === 0) throw new Error('Tick at least one day.');
  return hoursText(parseHours(entries.join(', ')));
}

/** Ticks or clears a day. A ticked day gets the hours of the nearest earlier day that has any. */
export function toggled(week: Week, day: number): Week {
  if ((week[day] ?? []).length > 0) return week.with(day, []);
  const before = [...week.slice(day), ...week.slice(0, day)].findLast(({ length }) => length > 0);
  return week.with(day, before ?? [USUAL]);
}

/** The index of the first day with hours, or -1. */
export const firstOpen = (week: Week): number => week.findIndex(({ length }) => length > 0);

/** `until Sat 01:00` if a span ends after midnight, otherwise null. */
export function endsNextDay(day: number, { from, to }: Span): string | null {
  if (from === '' || to === '' || to > from || to === '00:00') return null;
  return `until ${DAY_NAMES[(day + 1) % 7]?.slice(0, 3)} ${to}`;
}
