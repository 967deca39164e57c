import { countingGames, type Scoring } from '#contract/rules/contests.ts';

/** What a contest counts, and who is ahead (CONTEST-03, CONTEST-04): pure functions over games. */

export type ContestGame = {
  id: string;
  machine_id: number;
  player_id: number;
  score: number;
  played_at: Date;
};

/** `counting`: the games that make the points, in order of play. `over`: those after the first N. */
export type ContestPlayer<G extends ContestGame = ContestGame> = {
  player_id: number;
  place: number;
  points: number;
  counting: G[];
  below: G[];
  over: G[];
};

/** Orders games by `played_at`, machine and id: a total order, as no machine repeats an id. */
const inContestOrder = (a: ContestGame, b: ContestGame) =>
  a.played_at.getTime() - b.played_at.getTime() ||
  a.machine_id - b.machine_id ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The board of a contest from its counted games in any order: each place is held by one player.
 * `n`: how many games count for `first_n`, 1 to 20.
 */
export function contestBoard<G extends ContestGame>(
  games: readonly G[],
  scoring: Scoring,
  n: number,
): ContestPlayer<G>[] {
  const players = [...Map.groupBy(games, ({ player_id }) => player_id)].map(([player_id, own]) => {
    const { counting, below, over } = split(own.toSorted(inContestOrder), scoring, n);
    return {
      player_id,
      counting,
      below,
      over,
      points: counting.reduce((sum, { score }) => sum + score, 0),
      best: counting.reduce((best, { score }) => Math.max(best, score), 0),
      reached: counting.at(-1),
    };
  });
  return players
    .sort(
      (a, b) =>
        b.points - a.points ||
        b.best - a.best ||
        (a.reached && b.reached ? inContestOrder(a.reached, b.reached) : 0),
    )
    .map(({ best: _best, reached: _reached, ...player }, at) => ({ ...player, place: at + 1 }));
}

/**
 * Why the second of two players with as many points is below the first (CONTEST-04); null if the
 * points decide.
 */
export function levelBy(
  above: Pick<ContestPlayer, 'points' | 'counting'>,
  below: Pick<ContestPlayer, 'points' | 'counting'>,
): 'best_game' | 'earlier' | null {
  if (above.points !== below.points) return null;
  const best = ({ counting }: typeof above) => Math.max(...counting.map(({ score }) => score));
  return best(above) === best(below) ? 'earlier' : 'best_game';
}

/** The games of one player, in order of play, by what they do. */
function split<G extends ContestGame>(own: G[], scoring: Scoring, n: number) {
  const kept = countingGames(scoring, n);
  if (scoring === 'first_n')
    return { counting: own.slice(0, kept), below: [], over: own.slice(kept) };
  // The sort is stable: of equal scores, the earlier counts.
  const best = new Set(own.toSorted((a, b) => b.score - a.score).slice(0, kept));
  return {
    counting: own.filter((game) => best.has(game)),
    below: own.filter((game) => !best.has(game)),
    over: [],
  };
}
