import type { LeagueStats } from '#contract/leagues.ts';
import type { User } from '#contract/profile.ts';

/** Shown for a team without a name (spec 8). */
const UNKNOWN_TEAM = 'Unknown Team';

/** A team as the stored user may hold it: the spec's 'object with name, or empty'. */
type StoredTeam = { name?: string | null } | null | undefined;

/** The name of a team to show; 'Unknown Team' where there is none. */
export function teamName(name: string | null | undefined): string {
  return name?.trim() || UNKNOWN_TEAM;
}

/** Whether there is a team: null and `{}` are none, a team without a name is one (contract 1). */
export function hasTeam(team: StoredTeam): boolean {
  return !!team && Object.keys(team).length > 0;
}

/** What the code's colour and words say: league mode is active only with a team (spec 4). */
export type Mode = 'on' | 'off' | 'no-team';

/** The mode of a player. */
export function modeOf(user: Pick<User, 'team' | 'league_mode_enabled'>): Mode {
  if (!hasTeam(user.team)) return 'no-team';
  return user.league_mode_enabled ? 'on' : 'off';
}

/**
 * What the next game counts for, in words for the player (contract 4). `stats` is the week as the
 * server just told it; without it, or when its week has closed by `now`, no number is claimed.
 */
export function whatCounts(
  mode: Mode,
  team: string,
  stats: Pick<LeagueStats, 'me' | 'season_starts_at' | 'week_closes_at'> | null | undefined,
  now: Date,
): string {
  if (mode === 'no-team') return 'This game counts for you.';
  if (mode === 'off') return 'This game counts for you, not for your team.';
  if (!stats || new Date(stats.week_closes_at) <= now)
    return `Your first 8 league games of a week count for ${team}.`;
  if (stats.season_starts_at !== null) return 'The season has not begun. This game counts for you.';
  const left = stats.me.league_games_left;
  if (left === 0) return 'No league games left this week. This game counts for you.';
  const games = left === 1 ? '1 league game' : `${left} league games`;
  return `This game counts for ${team}. ${games} left this week.`;
}
