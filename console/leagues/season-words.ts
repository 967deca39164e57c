import { OPEN_AT_MOST_DAYS } from '#contract/rules/leagues.ts';
import type { Matchup, Ruling, TableNote } from '#contract/wire/leagues.ts';
import type { Award, SeasonForStaff, SeasonListed } from '#contract/wire/seasons.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import { dayAndTime } from '../ui/times.ts';
import { fullDay, plusDays } from './words.ts';

/** What an award's figure counts. */
export const AWARD_UNITS: Record<Award['key'], string> = {
  best_game: 'point',
  best_week: 'point',
  best_average: 'point',
  most_games: 'game',
  most_improved: 'point',
  carried: 'week',
  best_team_week: 'point',
  closest: 'point',
};

const BY_WORDS: Record<NonNullable<TableNote['by']>, string> = {
  wins: '',
  total: 'level on wins, lower total',
  head_to_head: 'level, lost their matchups',
  best_week: 'level, weeks less high',
};

/** The note under a team's name: why it is below the row above, and when it joined or left. */
export function noteOf({ by, note }: TableNote): string {
  return [by === null ? '' : BY_WORDS[by], note ?? ''].filter((part) => part !== '').join('; ');
}

/**
 * The season that a league's page opens: the newest that is running or in grace, otherwise the
 * planned one, otherwise the last.
 */
export const currentOf = <S extends Pick<SeasonListed, 'state'>>(
  seasons: readonly S[],
): S | undefined =>
  seasons.findLast(({ state }) => state === 'running' || state === 'grace') ??
  seasons.find(({ state }) => state === 'planned') ??
  seasons.at(-1);

type Step = 'follow' | 'end' | 'drop';

/**
 * What staff can do next with a season. The last one that has begun can be followed by another. A
 * running season can be ended, and the first one in grace at once: the call ends that (SEASON-22).
 */
export function stepsOf(
  { id, state }: Pick<SeasonListed, 'id' | 'state'>,
  seasons: readonly Pick<SeasonListed, 'id' | 'state'>[],
): Step[] {
  if (state === 'planned') return ['drop'];
  const isLast = id === seasons.findLast((one) => one.state !== 'planned')?.id;
  const isFirstInGrace = id === seasons.find((one) => one.state === 'grace')?.id;
  return [
    ...(isLast ? (['follow'] as const) : []),
    ...(state === 'running' || isFirstInGrace ? (['end'] as const) : []),
  ];
}

/** Whether the time for late games is over. */
export const isPast = (settles_at: string): boolean => Date.parse(settles_at) <= serverNow();

/** When a season becomes final even with open cases (SEASON-21). `settles_at`: the end of grace. */
export const latestEnd = (settles_at: string): string =>
  new Date(Date.parse(settles_at) + OPEN_AT_MOST_DAYS * 24 * 3_600_000).toISOString();

/** A season's state in a sentence. */
export function stateWords(season: SeasonListed): string {
  const { state, starts_on, last_week, settles_at, version } = season;
  if (state === 'planned') return `Begins on ${fullDay(starts_on)}`;
  if (state === 'final') return version > 1 ? 'Final, corrected' : 'Final';
  if (state === 'grace')
    return settles_at === null || isPast(settles_at)
      ? 'Not final yet'
      : `Not final yet. Late games count until ${dayAndTime(settles_at)}`;
  return last_week === null
    ? 'Runs until you end it'
    : `Runs until ${fullDay(plusDays(last_week, 6))}`;
}

/** The champions of a final season, or why there are none (SEASON-24, CUP-13). */
export function championsWords({
  champions,
  no_champion,
}: Pick<SeasonForStaff, 'champions' | 'no_champion'>): string {
  if (no_champion) return 'No champion: the final had no winner';
  return champions.length === 0 ? 'The cup decides' : champions.join(' and ');
}

/** What staff read after they have ended a season. */
export function endedWords(season: SeasonListed): string {
  if (season.state === 'final') return `${season.name} is final.`;
  if (season.state !== 'grace') return `${season.name}: ${stateWords(season)}.`;
  const { settles_at } = season;
  return settles_at === null || isPast(settles_at)
    ? `${season.name} has had its last week. It ends as soon as nothing is open.`
    : `${season.name} has had its last week. Late games count until ${dayAndTime(settles_at)}, then it ends.`;
}

/** `2 Nov 2026 to 13 Dec 2026`, or `From 2 Nov 2026`. */
export const datesOf = ({ starts_on, last_week }: SeasonListed): string =>
  last_week === null
    ? `From ${fullDay(starts_on)}`
    : `${fullDay(starts_on)} to ${fullDay(plusDays(last_week, 6))}`;

/** When a running season ends, and when its successor can be made (SEASON-20, SEASON-50). */
export const endWords = (season: SeasonListed, lastWeek: string): string =>
  `${datesOf(season)}. Then late games count for ${season.grace_hours} hours. You can make the next season from ${fullDay(plusDays(lastWeek, 7))} on.`;

/**
 * A team's place in a season's table (null without one), and whether it withdrew. Found by id: a
 * final table keeps the names of its time (FRAME-06).
 */
export function rowOf(
  { rows, standings }: Pick<SeasonForStaff, 'rows' | 'standings'>,
  teamId: string,
): { place: number | null; withdrew: boolean } {
  const at = rows.findIndex(({ team_id }) => team_id === teamId);
  return { place: standings[at]?.place ?? null, withdrew: rows[at]?.withdrew ?? false };
}

const PLURALS = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIX: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
/** `1st`, `2nd`, `11th`. */
export const ordinal = (place: number): string =>
  `${place}${SUFFIX[PLURALS.select(place)] ?? 'th'}`;

/**
 * The ruling of staff on a matchup, which they can remove; null without one, and if the matchup is
 * decided because a side has withdrawn (SEASON-30, SEASON-35).
 */
export const rulingOf = ({
  ruling,
  reason = '',
  decided_by,
}: Matchup): { ruling: Ruling; reason: string } | null =>
  ruling === undefined || decided_by === 'withdrawal' ? null : { ruling, reason };
