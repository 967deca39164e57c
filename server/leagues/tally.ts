import { average } from '#contract/abbreviate.ts';
import { BEST_GAMES, WEEK_GAMES } from '#contract/counting.ts';
import type { Standing } from '#contract/leagues.ts';

/**
 * How games become totals, ranks and a table: pure, no database, no clock. docs/leagues.md has the
 * rules in words; its worked examples are tests of this file.
 */

// --- One player's week ------------------------------------------------------------------------

/** A league game of a player, for the team of that moment. */
export type WeekGame = { id: string; team_id: number; score: number; played_at: Date };

/** What became of a game: counted and in the total, counted but on the bench, or too many. */
export type Fate = {
  counts: 'league' | 'bench' | 'over_8';
  /** Among the counted games for its team by score, from 1; null when it is over 8. */
  place: number | null;
};

/** One player's week for one team. */
export type Share = {
  team_id: number;
  games_played: number;
  score_sum: number;
  total: number;
  fourth_best: number | null;
};

/** For `sort`: games in the order of play; of one moment, by their ids (contract 4). */
export const inOrderOfPlay = (
  a: Pick<WeekGame, 'id' | 'played_at'>,
  b: Pick<WeekGame, 'id' | 'played_at'>,
) => a.played_at.getTime() - b.played_at.getTime() || (a.id < b.id ? -1 : 1);

/**
 * Judges all league games of one player in one week (contract 4): the first 8 by `played_at`, then
 * `id`, count, each for the team it was played for; the best 4 of a team's make the total.
 * Returns a share for each team, and the fate of each of the given games.
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
    // Stable: of equal scores the earlier game has the better place.
    const best = counted.toSorted((a, b) => b.score - a.score);
    for (const [at, game] of best.entries())
      fates.set(game, { counts: at < BEST_GAMES ? 'league' : 'bench', place: at + 1 });
    return {
      team_id,
      games_played: best.length,
      score_sum: sum(best.map(({ score }) => score)),
      total: sum(best.slice(0, BEST_GAMES).map(({ score }) => score)),
      fourth_best: best[BEST_GAMES - 1]?.score ?? null,
    };
  });
  return { shares, fates };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

// --- A team's week ----------------------------------------------------------------------------

/** A row of a team's table: somebody who is on the team, or has counted games for it. */
export type Row = { username: string; games_played: number; score_sum: number; total: number };

/**
 * Puts a team's rows in order of rank (contract 4): by total, then by the average as it is shown,
 * then by username without regard to case; and adds them up. Averages have one decimal.
 */
export function teamWeek<R extends Row>(rows: readonly R[]) {
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

// --- A season ---------------------------------------------------------------------------------

/** A team's total of one finished week, and that of its opponent; null: it had a bye. */
export type Result = { team: string; total: number; against: number | null };

/**
 * The season's table (contract 4): won, drawn and lost by the totals of finished weeks; in order of
 * wins, then of the season's total (weeks with a bye too), then of the name. Every team of `teams`
 * is in it, with results or without.
 */
export function seasonTable(teams: readonly string[], results: readonly Result[]): Standing[] {
  const byTeam = Map.groupBy(results, ({ team }) => team);
  return teams
    .map((team) => {
      const own = byTeam.get(team) ?? [];
      const count = (is: (total: number, against: number) => boolean) =>
        own.filter(({ total, against }) => against !== null && is(total, against)).length;
      return {
        team,
        won: count((total, against) => total > against),
        drawn: count((total, against) => total === against),
        lost: count((total, against) => total < against),
        total: sum(own.map(({ total }) => total)),
      };
    })
    .sort(
      (a, b) =>
        b.won - a.won ||
        b.total - a.total ||
        (a.team.toLowerCase() < b.team.toLowerCase() ? -1 : 1),
    )
    .map((row, at) => ({ place: at + 1, ...row }));
}
