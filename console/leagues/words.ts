import { LEFT_OUT } from '#contract/rules/leagues.ts';
import type { Joining, LeagueRow, ScheduleWeek } from '#contract/wire/leagues.ts';
import { serverDate } from '../../web/ui/server-clock.ts';
import { inputTime } from '../ui/times.ts';

/** The ways to join a league, in the select's order (LEAGUE-12). */
export const JOINING_WORDS: Record<Joining, { name: string; about: string }> = {
  closed: { name: 'Closed', about: 'Nobody can join with a code. Staff put players on teams.' },
  ask: {
    name: 'Waits for a manager',
    about:
      'They ask to join, and you say yes or no on the team’s page; the inbox and Tonight show who waits.',
  },
  open: {
    name: 'Is on the team at once',
    about:
      'They see names of players under age after their first game at the venue, or when you confirm them on the team’s page.',
  },
};

export const JOININGS = Object.keys(JOINING_WORDS) as Joining[];

/**
 * Warns that games of players with league mode off do not count for the team (LEAGUE-03). Null if
 * all players have league mode on.
 */
export function modeOff(
  players: readonly { username: string | null; league_mode_enabled: boolean }[],
): string | null {
  const off = players.filter((player) => !player.league_mode_enabled);
  if (off.length === 0) return null;
  const names = new Intl.ListFormat('en-GB').format(
    off.map(({ username }) => username ?? 'a player without a name'),
  );
  return off.length === 1
    ? `League mode is off for ${names}. Their games do not count for the team until they switch on League Mode on their profile in the app.`
    : `League mode is off for ${names}. Their games do not count for a team until they switch on League Mode on their profiles in the app.`;
}

/** `Dunkers and Hoopers have no matchups in Season 2.` */
export function idleWords(season: string, teams: readonly string[]): string {
  return `${new Intl.ListFormat('en-GB').format(teams)} have no matchups in ${season}.`;
}

/** `Not in Season 2: Air Ballers and Late Comers.` */
export const outsideWords = (season: string, teams: readonly string[]): string =>
  `Not in ${season}: ${new Intl.ListFormat('en-GB').format(teams)}.`;

/** `Week 5 of 10`, `Begins 23 Nov`, `No schedule yet` or `Over` */
export function weekWords({
  week,
  weeks,
  starts_on,
}: Pick<LeagueRow, 'week' | 'weeks' | 'starts_on'>) {
  if (weeks === 0) return 'No schedule yet';
  if (week > weeks) return 'Over';
  return week === 0 ? `Begins ${shortDay(starts_on)}` : `Week ${week} of ${weeks}`;
}

/** `Season 2 begins 14 Dec` */
export const nextWords = ({ name, starts_on }: { name: string; starts_on: string }): string =>
  `${name} begins ${shortDay(starts_on)}`;

const utc = (day: string) => new Date(`${day}T00:00:00Z`);
const short = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const long = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long' });
const full = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** `23 Nov` */
export const shortDay = (day: string): string => short.format(utc(day));
/** `23 November` */
export const longDay = (day: string): string => long.format(utc(day));
/** `23 Nov 2026` */
export const fullDay = (day: string): string => full.format(utc(day));

/** `16 to 22 November`, or `30 November to 6 December` */
export function span(from: string, to: string): string {
  const sameMonth = from.slice(0, 7) === to.slice(0, 7);
  return `${sameMonth ? utc(from).getUTCDate() : longDay(from)} to ${longDay(to)}`;
}

/** The day that is `days` days after `day`; both `YYYY-MM-DD`. */
export const plusDays = (day: string, days: number) =>
  new Date(utc(day).getTime() + days * 24 * 3_600_000).toISOString().slice(0, 10);

export const mondayOf = (day: string) => plusDays(day, -((utc(day).getUTCDay() + 6) % 7));

/** The first Monday on or after today on the clock of a zone, such as `2026-11-23`. */
export const nextMonday = (timezone: string, now = serverDate()): string =>
  mondayOf(plusDays(inputTime(now, timezone).slice(0, 10), 6));

/**
 * The first Monday, in the week of `from` or later, that begins `weeks` weeks in a row without
 * matchups. `taken` has the Mondays of the weeks with matchups.
 */
export function freeWeek(taken: readonly string[], from: string, weeks: number): string {
  let monday = mondayOf(from);
  const row = () => Array.from({ length: weeks }, (_, at) => plusDays(monday, 7 * at));
  while (row().some((week) => taken.includes(week))) monday = plusDays(monday, 7);
  return monday;
}

/** How many weeks were made, their first and last day. */
export type Made = { weeks: number; from: string; to: string };

/**
 * Sums up the weeks that a call made: `weeks` weeks, from the week of `from` on. Null if `schedule`
 * has none of them.
 */
export function madeOf(
  schedule: readonly { from: string; to: string; postponed?: string | undefined }[],
  from: string,
  weeks: number,
): Made | null {
  const monday = mondayOf(from);
  const end = plusDays(monday, 7 * weeks);
  const made = schedule.filter(
    (week) => week.from >= monday && week.from < end && week.postponed === undefined,
  );
  const [first, last] = [made.at(0), made.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { weeks: made.length, from: first.from, to: last.to };
}

/** Whether the week of a day has begun. `currentWeek`: the Monday of the league's running week. */
export const hasBegun = (day: string, currentWeek: string): boolean =>
  day !== '' && mondayOf(day) <= currentWeek;

/** The Mondays from the week of `from` on, until `weeks` of them are not in `leftOut`. */
export function mondaysOf(from: string, weeks: number, leftOut: readonly string[]): string[] {
  const mondays: string[] = [];
  let left = weeks;
  for (let monday = mondayOf(from); left > 0; monday = plusDays(monday, 7)) {
    mondays.push(monday);
    if (!leftOut.includes(monday)) left -= 1;
  }
  return mondays;
}

/** How many weeks it takes until every team has met every other once. */
export const roundWeeks = (teams: number): number => (teams % 2 === 0 ? teams - 1 : teams);

export const wantToJoin = (number: number): string =>
  number === 1 ? '1 person wants to join' : `${number} people want to join`;

/** `Week 4`, or why there is none (SEASON-32, SEASON-50). */
export function weekHead({ week, postponed }: Pick<ScheduleWeek, 'week' | 'postponed'>): string {
  if (postponed === undefined) return `Week ${week}`;
  return postponed === LEFT_OUT ? 'Without matchups' : 'Postponed';
}
