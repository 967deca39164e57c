type NewOnTeam = {
  how: 'accepted' | 'staff';
  /** Whether league mode is on. */
  on: boolean;
  /** Of the team's week. */
  stats: {
    season_starts_at: string | null;
    me: { league_games_left: number };
    season: { state: string; postponed: unknown } | null;
  };
};

/** Whether no season runs. A postponed week is part of its season. */
const isBetween = ({ season, season_starts_at }: NewOnTeam['stats']): boolean =>
  (season === null || season.postponed === null) &&
  (season_starts_at !== null || season?.state === 'grace' || season?.state === 'final');

/** What the strip and the mail say about a new team (HAND-47). */
export function newOnTeamWords({ how, on, stats }: NewOnTeam): string {
  const left = stats.me.league_games_left;
  if (!on)
    return how === 'staff'
      ? 'Staff added you. League mode is off. Switch it on for your games to count.'
      : 'Staff said yes. League mode is off. Switch it on for your games to count.';
  if (isBetween(stats))
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
