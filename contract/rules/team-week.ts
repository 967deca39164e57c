/** What the answer about a team's week says of the season (GET /api/leaderboards/user-league-stats/). */
type Week = {
  season_starts_at: string | null;
  season: { state: string; postponed: unknown; entered?: boolean } | null;
};

/**
 * Why the running week does not count for the team; null in a week that counts. `outside`: the team
 * is not in the running season (SEASON-04). `joins`: it joins the running season later (SEASON-34).
 * `postponed`: SEASON-32. `between`: after a season (SEASON-07). `not_begun`: before the first
 * season.
 */
export function whyUncounted({
  season,
  season_starts_at,
}: Week): 'outside' | 'joins' | 'postponed' | 'between' | 'not_begun' | null {
  // A stored answer of an older version has no `entered`.
  if (season?.state === 'running' && season.entered === false) return 'outside';
  if (season !== null && season.postponed !== null) return 'postponed';
  if (season?.state === 'grace' || season?.state === 'final') return 'between';
  if (season_starts_at === null) return null;
  return season?.state === 'running' ? 'joins' : 'not_begun';
}
