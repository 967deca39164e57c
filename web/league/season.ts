import { LEFT_OUT } from '#contract/rules/leagues.ts';
import type {
  LeagueSeason,
  Matchup,
  ScheduleWeek,
  SeasonInView,
  TableNote,
} from '#contract/wire/leagues.ts';
import type { SeasonPage } from '#contract/wire/seasons.ts';

const BY_WORDS: Record<NonNullable<TableNote['by']>, string | null> = {
  wins: null,
  total: 'Level on wins, lower total',
  head_to_head: 'Level, lost their matchups',
  best_week: 'Level, lower best weeks',
};

/** The text below a team's name in the table (SEASON-16); null for none. */
export function noteOf(row: TableNote | undefined): string | null {
  if (row === undefined) return null;
  const parts = [row.by && BY_WORDS[row.by], row.note].filter((part) => part !== null);
  const words = parts.join('; ');
  return words === '' ? null : words.charAt(0).toUpperCase() + words.slice(1);
}

/** How the table orders teams with equal wins (SEASON-11). */
export const equalWinsWords = ({ tie_break }: Pick<SeasonInView, 'tie_break'>): string =>
  tie_break === 'head_to_head'
    ? 'Equal wins: their own matchups decide, then the higher total.'
    : 'Equal wins: the higher total goes first.';

/** "Brick City Bankers win by a forfeit" (SEASON-30); null without a ruling. */
export function rulingWords({ home, away, ruling, reason }: Matchup): string | null {
  if (ruling === undefined) return null;
  const words = {
    home: `Forfeit: ${home} win`,
    away: `Forfeit: ${away} win`,
    both_lose: 'Both lose',
    annulled: 'Annulled',
  }[ruling];
  return reason === undefined ? words : `${words}. ${reason}`;
}

/** The season's progress, under the league's name. */
export function weekWords({ week, weeks }: Pick<LeagueSeason, 'week' | 'weeks'>): string {
  if (week === 0) return 'Before the season';
  if (weeks === 0) return `Week ${week}`;
  if (week > weeks) return weeks === 1 ? '1 week played' : `All ${weeks} weeks played`;
  return `Week ${week} of ${weeks}`;
}

/** How many weeks a schedule has, without postponed ones and those left out (SEASON-06). */
export const weekCount = (schedule: readonly ScheduleWeek[]): number =>
  schedule.filter(({ postponed }) => postponed === undefined).length;

/** Why a week has no matchups; null for a week that has (SEASON-32, SEASON-50). */
export function postponedWords({ postponed }: Pick<ScheduleWeek, 'postponed'>): string | null {
  if (postponed === undefined) return null;
  return postponed === LEFT_OUT ? 'Without matchups' : `Postponed: ${postponed}`;
}

/**
 * The weeks shown at first: the last one with matchups before `week`, the first one with matchups
 * after it, and the weeks without matchups just before that one. If the running week is postponed
 * (`isPostponed`), week `week` itself is still to come (SEASON-32).
 */
export function weeksAround(
  schedule: readonly ScheduleWeek[],
  week: number,
  isPostponed = false,
): ScheduleWeek[] {
  const hasMatchups = ({ postponed }: ScheduleWeek) => postponed === undefined;
  const last = schedule.findLast((one) => one.week < week && hasMatchups(one));
  const coming = schedule.filter((one) => one.week > week || (isPostponed && one.week === week));
  const next = coming.slice(0, coming.findIndex(hasMatchups) + 1);
  return last === undefined ? next : [last, ...next];
}

/** The number of the week that runs at `now`, by the phone's clock; after the last week if none does. */
export const weekOn = (schedule: readonly ScheduleWeek[], now: Date): number =>
  schedule.find(({ to }) => new Date(`${to}T24:00`) > now)?.week ?? schedule.length + 1;

/** "“A game was not theirs” Net Profits: 7 wins, not 8." (SEASON-25) */
export const correctionWords = ({
  reason,
  changes,
}: Pick<SeasonPage['corrections'][number], 'reason' | 'changes'>): string =>
  [`“${reason}”`, ...changes.map((change) => `${change}.`)].join(' ');

/** Returns a week without the matchup or bye of `team`. */
export function withoutTeam(
  week: ScheduleWeek,
  team: string,
): Pick<ScheduleWeek, 'matchups' | 'bye'> {
  return {
    matchups: week.matchups.filter(({ home, away }) => home !== team && away !== team),
    bye: week.bye === team ? null : week.bye,
  };
}

/**
 * The side that a ruling names, otherwise the one with the higher total; null if the totals are
 * equal, the week has not begun, or the ruling leaves no winner.
 */
export function leaderOf({ home_total, away_total, ruling }: Matchup): 'home' | 'away' | null {
  if (ruling !== undefined) return ruling === 'home' || ruling === 'away' ? ruling : null;
  if (home_total === null || away_total === null || home_total === away_total) return null;
  return home_total > away_total ? 'home' : 'away';
}
