import { WEEK_GAMES } from '#contract/rules/games.ts';
import type { JoinPage } from '#contract/wire/teams.ts';
import { fullDay, weekdayAndDay } from '../ui/dates.ts';
import { plain } from '../ui/Marked.tsx';
import { clockTime, isSameDay } from '../ui/times.ts';

export type State = 'open' | 'ask' | 'asked' | 'member' | 'other' | 'full' | 'closed';

/** The page's state for this caller. The player's own state comes before the team's. */
export function stateOf(page: JoinPage): State {
  if (page.mine === 'member') return 'member';
  if (page.other_team !== null) return 'other';
  // If the league was opened meanwhile, the player can join.
  if (page.mine === 'asked' && page.joining !== 'open') return 'asked';
  if (page.joining === 'closed') return 'closed';
  return page.size >= page.max ? 'full' : page.joining;
}

export const OVER: Record<State, string> = {
  open: 'You are asked to join',
  ask: 'You are asked to join',
  other: 'You are asked to join',
  asked: 'You have asked to join',
  member: 'You are on the team',
  full: 'This team is full',
  closed: 'Teams are closed',
};

export function noticeOf(
  state: 'asked' | 'full' | 'closed',
  { league, size, max, season_ends_on }: JoinPage,
): string {
  if (state === 'asked')
    return `The manager of ${league} decides. You get a mail, and the team is on your profile then.`;
  if (state === 'full')
    return `${size} of ${max} players. Ask the captain, or the venue, for a place. The code works again when one is free.`;
  const until =
    season_ends_on === null ? '' : ` until the season ends on ${fullDay(season_ends_on)}`;
  return `${league} takes no new players${until}.`;
}

const NOW = `**From your next game on** your games count for this team, ${WEEK_GAMES} a week at most.`;
const LATER: Record<NonNullable<JoinPage['counts_from']>, string> = {
  next_week: `**When the next week begins,** your games count for this team, ${WEEK_GAMES} a week at most.`,
  this_season: `**Later this season,** your games count for this team, ${WEEK_GAMES} a week at most.`,
  next_season: `**When the next season begins,** your games count for this team, ${WEEK_GAMES} a week at most.`,
};
const ONCE_ACCEPTED = `From then on your games count for this team, ${WEEK_GAMES} a week at most.`;
const WHO_SEES = 'Your team and the teams you play see your name.';

/**
 * Who decides, from when games count for the team (LEAGUE-14), and who sees the player's name.
 * Parts between `**` are bold.
 */
export function termsOf(
  state: 'open' | 'ask' | 'member',
  { league, counts_from }: Pick<JoinPage, 'league' | 'counts_from'>,
): string {
  const later = counts_from && LATER[counts_from];
  const terms =
    state === 'ask'
      ? [`**The manager of ${league} decides.**`, later ? plain(later) : ONCE_ACCEPTED]
      : [later ?? NOW];
  return [...terms, WHO_SEES].join(' ');
}

/** When the player asked, as in "Asked today at 19:40." */
export function askedAt(at: Date, now: Date): string {
  const day = isSameDay(at, now) ? 'today' : `on ${weekdayAndDay(at, now)}`;
  return `Asked ${day} at ${clockTime(at)}.`;
}

/** The team's figures that exist, each as name and value. */
export function factsOf({ week, weeks, place, size, max }: JoinPage): [string, string][] {
  return [
    ...(weeks > 0 && week > 0
      ? [['week of the season', `${Math.min(week, weeks)}/${weeks}`] as [string, string]]
      : []),
    ...(place === null ? [] : [['place in the season', String(place)] as [string, string]]),
    ['on the team', `${size}/${max}`],
  ];
}
