import { whyUncounted } from './team-week.ts';

type NewOnTeam = {
  how: 'accepted' | 'staff';
  /** Whether league mode is on. */
  on: boolean;
  /** Of the team's week. */
  stats: Parameters<typeof whyUncounted>[0] & {
    me: { league_games_left: number };
    week_closes_at: string;
  };
};

/** What the strip and the mail say about a new team (HAND-47). */
export function newOnTeamWords({ how, on, stats }: NewOnTeam): string {
  const left = stats.me.league_games_left;
  if (!on)
    return how === 'staff'
      ? 'Staff added you. League mode is off. Switch it on for your games to count.'
      : 'Staff said yes. League mode is off. Switch it on for your games to count.';
  const why = whyUncounted(stats);
  if (why === 'joins' && stats.season_starts_at !== stats.week_closes_at)
    return how === 'staff'
      ? 'Staff added you. League mode is on: your games count when your team joins the season.'
      : 'Staff said yes. League mode is on: your games count when your team joins the season.';
  // A postponed week is part of its season.
  if (why !== null && why !== 'postponed' && why !== 'joins')
    return how === 'staff'
      ? 'Staff added you. League mode is on: your games count when the next season begins.'
      : 'Staff said yes. League mode is on: your games count when the next season begins.';
  if (left === 0)
    return how === 'staff'
      ? 'Staff added you. League mode is on: your games count when the next week begins.'
      : 'Staff said yes. League mode is on: your games count when the next week begins.';
  if (left === 1)
    return how === 'staff'
      ? 'Staff added you. League mode is on: your next game this week counts.'
      : 'Staff said yes. League mode is on: your next game this week counts.';
  return how === 'staff'
    ? `Staff added you. League mode is on: your next ${left} games this week count.`
    : `Staff said yes. League mode is on: your next ${left} games this week count.`;
}
