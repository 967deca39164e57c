import { countingGames, type Scoring } from '#contract/rules/contests.ts';

/** Points and order of a contest (CONTEST-03, CONTEST-04): pure functions over games. */

export type ContestGame = {
  id: string;
  machine_id: number;
  player_id: number;
  score: number;
  played_at: Date;
};

/** `counting`: the games that make the points, in order of play. `over`: those after the Nth. */
export type ContestPlayer<G extends ContestGame = ContestGame> = {
  player_id: number;
  place: number;
  points: number;
  counting: G[];
  below: G[];
  over: G[];
};

/** Orders games by `played_at`, machine and id. No two games tie: no machine uses an id twice. */
const inContestOrder = (a: ContestGame, b: ContestGame) =>
  a.played_at.getTime() - b.played_at.getTime() ||
  a.machine_id - b.machine_id ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The board of a contest from its counted games, in any order. No two players share a place.
 * `n`: how many games count for `first_n`, 1 to 20.
 */
export function contestBoard<G extends ContestGame>(
  games: readonly G[],
  scoring: Scoring,
  n: number,
): ContestPlayer<G>[] {
  return [...Map.groupBy(games, ({ player_id }) => player_id)]
    .map(([player_id, own]) => {
      const { counting, below, over } = split(own.toSorted(inContestOrder), scoring, n);
      const points = counting.reduce((sum, { score }) => sum + score, 0);
      return { player_id, counting, below, over, points };
    })
    .sort((a, b) => difference(a, b).order)
    .map((player, at) => ({ ...player, place: at + 1 }));
}

type Ranked = Pick<ContestPlayer, 'points' | 'counting'>;
type Level = 'best_game' | 'earlier' | null;

/**
 * The first difference between two players (CONTEST-04). `order` is negative if `a` ranks higher.
 * `by` is what decides if the points are equal, otherwise null.
 */
function difference(a: Ranked, b: Ranked): { order: number; by: Level } {
  if (a.points !== b.points) return { order: b.points - a.points, by: null };
  const best = ({ counting }: Ranked) => Math.max(...counting.map(({ score }) => score));
  const ahead = best(b) - best(a);
  if (ahead !== 0) return { order: ahead, by: 'best_game' };
  const [reached, other] = [a.counting.at(-1), b.counting.at(-1)];
  return { order: reached && other ? inContestOrder(reached, other) : 0, by: 'earlier' };
}

/** Why one of two players with equal points is below the other; null if the points differ. */
export const levelBy = (above: Ranked, below: Ranked): Level => difference(above, below).by;

/** Splits one player's games, in order of play, by what they count for. */
function split<G extends ContestGame>(own: G[], scoring: Scoring, n: number) {
  const kept = countingGames(scoring, n);
  if (scoring === 'first_n')
    return { counting: own.slice(0, kept), below: [], over: own.slice(kept) };
  // The sort is stable, so the earlier of two equal scores counts.
  const best = new Set(own.toSorted((a, b) => b.score - a.score).slice(0, kept));
  return {
    counting: own.filter((game) => best.has(game)),
    below: own.filter((game) => !best.has(game)),
    over: [],
  };
}
