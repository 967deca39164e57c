import { average, BEST_GAMES, WEEK_GAMES } from '#contract/rules/games.ts';

/** How games become totals and ranks, tested with the examples of docs/leagues.md. */

// --- One player's week ------------------------------------------------------------------------

export type WeekGame = { id: string; team_id: number; score: number; played_at: Date };

/**
 * A game is in the total (`league`), outside the best 4 (`bench`), or outside the first 8
 * (`over_8`).
 */
export type Fate = {
  counts: 'league' | 'bench' | 'over_8';
  /** The rank among the week's counted games for the team, from 1; null for `over_8`. */
  place: number | null;
};

/** What a player's week adds to one team. */
export type Share = {
  team_id: number;
  games_played: number;
  score_sum: number;
  total: number;
  fourth_best: number | null;
  best: number;
};

/** Orders games by `played_at`, then by id (LEAGUE-03). */
export const inOrderOfPlay = (
  a: Pick<WeekGame, 'id' | 'played_at'>,
  b: Pick<WeekGame, 'id' | 'played_at'>,
) => a.played_at.getTime() - b.played_at.getTime() || (a.id < b.id ? -1 : 1);

/**
 * A player's league games of a week (LEAGUE-03, LEAGUE-07): the first 8 count, each for its team.
 * The total for a team is the sum of the best 4.
 */
export function tallyWeek<G extends WeekGame>(
  games: readonly G[],
): { shares: Share[]; fates: Map<G, Fate> } {
  const ordered = [...games].sort(inOrderOfPlay);
  const fates = new Map<G, Fate>(
    ordered.slice(WEEK_GAMES).map((game) => [game, { counts: 'over_8', place: null }]),
  );
  const byTeam = Map.groupBy(ordered.slice(0, WEEK_GAMES), ({ team_id }) => team_id);
  const shares = [...byTeam].map(([team_id, counted]) => {
    // The sort is stable: of equal scores, the earlier ranks higher.
    const best = counted.toSorted((a, b) => b.score - a.score);
    for (const [at, game] of best.entries())
      fates.set(game, { counts: at < BEST_GAMES ? 'league' : 'bench', place: at + 1 });
    return {
      team_id,
      games_played: best.length,
      score_sum: sum(best.map(({ score }) => score)),
      total: sum(best.slice(0, BEST_GAMES).map(({ score }) => score)),
      fourth_best: best[BEST_GAMES - 1]?.score ?? null,
      best: best[0]?.score ?? 0,
    };
  });
  return { shares, fates };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

// --- A team's week ----------------------------------------------------------------------------

/** A player on the team, or with counted games for it. */
export type MemberRow = {
  username: string;
  games_played: number;
  score_sum: number;
  total: number;
};

/** Ranks rows (LEAGUE-06), ignoring the case of usernames, and sums them up (LEAGUE-05). */
export function tallyTeam<R extends MemberRow>(rows: readonly R[]) {
  const ranked = rows
    .map((row) => ({ ...row, average: average(row.score_sum, row.games_played) }))
    .sort(
      (a, b) =>
        b.total - a.total ||
        b.average - a.average ||
        (a.username.toLowerCase() < b.username.toLowerCase() ? -1 : 1),
    );
  const games_played = sum(rows.map((row) => row.games_played));
  return {
    ranked,
    games_played,
    average: average(sum(rows.map((row) => row.score_sum)), games_played),
    total: sum(rows.map((row) => row.total)),
  };
}
