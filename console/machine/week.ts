import {
  DAY_MINUTES,
  DAY_NAMES,
  DAYS,
  hoursText,
  parseHours,
  timeText,
} from '#contract/rules/opening-hours.ts';

/**
 * The values of two time inputs: `18:00` and `01:00`. If `to` is not after `from`, the venue closes
 * on the next day.
 */
export type Span = { from: string; to: string };
/** The spans of each day, Monday first. */
export type Week = readonly (readonly Span[])[];

const CLOSED: Week = DAYS.map(() => []);
const USUAL: Span = { from: '12:00', to: '23:00' };

/** A closing time for a time input, which has no 24:00. */
const closing = (minutes: number) => timeText(minutes === DAY_MINUTES ? 0 : minutes);

/** Parses opening hours (MACH-09); null: every day is closed. */
export function weekOf(text: string | null): Week {
  if (text === null) return CLOSED;
  const periods = parseHours(text);
  return DAYS.map((_, at) =>
    periods
      .filter(({ day }) => day === at)
      .map(({ from, to }) => ({ from: timeText(from), to: closing(to) })),
  );
}

/**
 * A week as the server stores it.
 * @throws WrongHours if spans overlap; Error if every day is closed.
 */
export function textOf(week: Week): string {
  const entries = week.flatMap((spans, at) =>
    spans.map(({ from, to }) => `${DAYS[at]} ${from}-${to}`),
  );
  if (entries.length === 0) throw new Error('Tick the days on which it is open.');
  return hoursText(parseHours(entries.join(', ')));
}

/** Opens or closes a day. An opened day copies the last open day before it. */
export function toggled(week: Week, day: number): Week {
  if ((week[day] ?? []).length > 0) return week.with(day, []);
  const before = [...week.slice(day), ...week.slice(0, day)].findLast(({ length }) => length > 0);
  return week.with(day, before ?? [USUAL]);
}

/** The index of the first open day, or -1. */
export const firstOpen = (week: Week): number => week.findIndex(({ length }) => length > 0);

/** `until Sat 01:00` if a span ends after midnight, otherwise null. */
export function endsNextDay(day: number, { from, to }: Span): string | null {
  if (from === '' || to === '' || to > from || to === '00:00') return null;
  return `until ${DAY_NAMES[(day + 1) % 7]?.slice(0, 3)} ${to}`;
}
