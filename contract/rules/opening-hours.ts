/**
 * Opening hours (MACH-09), such as `mon-thu 15:00-23:00, fri 12:00-01:00`. A period whose end is
 * not after its start ends on the next day.
 */

export const DAYS: readonly string[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const DAY_NAMES = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;
export const DAY_MINUTES = 24 * 60;
export const HOURS_MAX = 300;
const EXAMPLE = 'Write them as “mon-thu 15:00-23:00, fri-sat 12:00-01:00”.';

/** `day` 0 is Monday. Minutes count from the day's midnight; `to` may exceed 1440. */
export type Period = { day: number; from: number; to: number };

/** The message says what is wrong, and what to write. */
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
  if (first === '') throw new WrongHours(`“${typed}” is no day with hours. ${EXAMPLE}`);
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
 * Parses opening hours into periods, sorted from Monday.
 * @throws WrongHours for text that is too long or of another form than EXAMPLE, or if periods
 * overlap.
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
      throw new WrongHours(
        `The hours that begin on ${DAY_NAMES[period.day]} overlap the next ones.`,
      );
  }
  return periods;
}

/** Formats minutes after midnight: 1440 is `24:00`, 1500 is `01:00`. */
export const timeText = (minutes: number): string => {
  const inDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
};

/** The shortest text for these periods. */
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
