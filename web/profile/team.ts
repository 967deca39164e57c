import { whyUncounted } from '#contract/rules/team-week.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import type { User } from '#contract/wire/profile.ts';
import { joinsWords } from '../session/season.ts';
import { hasTeam } from '../session/team.ts';

/** The mode, which decides the code's colour and words (PROD-32). */
export type Mode = 'on' | 'off' | 'no-team';

export function modeOf(user: Pick<User, 'team' | 'league_mode_enabled'>): Mode {
  if (!hasTeam(user.team)) return 'no-team';
  return user.league_mode_enabled ? 'on' : 'off';
}

type WeekStats = Pick<LeagueStats, 'me' | 'season' | 'season_starts_at' | 'week_closes_at'>;

/** Whether the next game counts for the team; false as long as that is not known. */
export const countsForTeam = (
  mode: Mode,
  stats: WeekStats | null | undefined,
  now: Date,
): boolean =>
  mode === 'on' &&
  !!stats &&
  now < new Date(stats.week_closes_at) &&
  whyUncounted(stats) === null &&
  stats.me.league_games_left > 0;

/**
 * What the next game counts for (GAME-08). Says how many league games are left only if the week of
 * `stats` is still open, and `me` is known.
 */
export function whatCounts(
  mode: Mode,
  team: string,
  stats: (Omit<WeekStats, 'me'> & { me: WeekStats['me'] | null }) | null | undefined,
  now: Date,
): string {
  const anyWeek = `Your first 8 league games of a week count for ${team}.`;
  if (mode === 'no-team') return 'This game counts for you.';
  if (mode === 'off') return 'This game counts for you, not for your team.';
  if (!stats || new Date(stats.week_closes_at) <= now) return anyWeek;
  switch (whyUncounted(stats)) {
    case 'outside':
      return 'Your team is not in this season. This game counts for you.';
    case 'joins':
      return `${joinsWords(stats)}. This game counts for you.`;
    case 'postponed':
      return 'The week is postponed. This game counts for you.';
    case 'between':
      return 'Between seasons: games count for you.';
    case 'not_begun':
      return 'The season has not begun. This game counts for you.';
  }
  if (stats.me === null) return anyWeek;
  const left = stats.me.league_games_left;
  if (left === 0) return 'No league games left this week. This game counts for you.';
  const games = left === 1 ? '1 league game' : `${left} league games`;
  return `This game counts for ${team}. ${games} left this week.`;
}
