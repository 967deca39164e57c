import type { CupHow, CupPlace } from '#contract/rules/cups.ts';

/**
 * The tree of a cup (CUP-05 to CUP-23): which seeds meet, which of them advances, and which
 * pairings a correction reopens. All functions are pure. A side is its seed, counted from 1. The
 * winners of slots 2s and 2s + 1 of round r - 1 meet in slot s of round r.
 */

export type Pairing = CupPlace & { third: boolean };

/** A stored result, valid only while these two sides meet. `winner` is null if neither played. */
export type Result = CupPlace & { a: number; b: number; winner: number | null; how: CupHow };

/** A seed; `empty` if no side can come here; or the winner or loser of the pairing `from`. */
export type Side = { seed: number } | { empty: true } | { from: CupPlace; loser: boolean };

/** A pairing with its sides and winner, as far as they are known. */
export type Node = Pairing & {
  a: Side;
  b: Side;
  /** undefined: not decided. null: decided without a winner. */
  winner: number | null | undefined;
  how: CupHow | null;
  /** Decided without games: a bye, an empty slot opposite, or a withdrawal. */
  automatic: boolean;
};

/** The order of the seeds in round 1 (CUP-05), such as 1 8 4 5 2 7 3 6. `size`: a power of two. */
export function order(size: number): number[] {
  return size === 1 ? [1] : order(size / 2).flatMap((seed) => [seed, size + 1 - seed]);
}

/** The number of rounds for `sides`, 2 to 64. */
export const roundsOf = (sides: number): number => Math.ceil(Math.log2(sides));

/** All pairings of a cup, with byes, in the order of the rounds, the one for third place last. */
export function pairingsOf(sides: number, third: boolean): Pairing[] {
  const rounds = roundsOf(sides);
  const tree = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: 2 ** (rounds - 1 - round) }, (_slot, slot) => {
      return { round, slot, third: false };
    }),
  ).flat();
  return third && rounds > 1 ? [...tree, { round: rounds - 1, slot: 1, third: true }] : tree;
}

/** The pairings that are played in a window: all but the byes of round 0. */
export function playedPairings(sides: number, third: boolean): Pairing[] {
  return resolve({ sides, third }).filter((node) => !(node.round === 0 && node.automatic));
}

/** Whether the winner or loser of `one` plays in `next`. */
export const feeds = (one: Pairing, next: Pairing): boolean =>
  next.round === one.round + 1 && (next.third || next.slot === one.slot >> 1);
export const keyOf = ({ round, slot }: CupPlace) => `${round} ${slot}`;
export const seedOf = (side: Side): number | null => ('seed' in side ? side.seed : null);
export const seedsOf = ({ a, b }: Pick<Node, 'a' | 'b'>): number[] =>
  [seedOf(a), seedOf(b)].flatMap((seed) => seed ?? []);

export type Cup = {
  sides: number;
  third: boolean;
  /** The newest result of each pairing. */
  results?: readonly Result[];
  /** The seeds of the sides that have withdrawn (CUP-16). */
  withdrawn?: ReadonlySet<number>;
};

/**
 * Resolves a cup. A bye is decided from the start. A side goes on at once if the opposite slot is
 * empty (CUP-13) or its opponent has withdrawn (CUP-16). A stored result does not count if its
 * sides no longer meet: the pairing is open again (CUP-22, CUP-23).
 */
export function resolve({ sides, third, results = [], withdrawn = new Set() }: Cup): Node[] {
  const stored = new Map(results.map((result) => [keyOf(result), result]));
  const slots = order(2 ** roundsOf(sides));
  const nodes = new Map<string, Node>();
  const from = (round: number, slot: number, loser = false): Side => {
    const node = nodes.get(keyOf({ round, slot }));
    if (node?.winner === undefined) return { from: { round, slot }, loser };
    const other = seedsOf(node).find((seed) => seed !== node.winner);
    // A pairing without a winner sends nobody on, not even to the pairing for third place.
    const seed = node.winner === null || !loser ? node.winner : (other ?? null);
    return seed === null ? { empty: true } : { seed };
  };
  const first = (at: number): Side => {
    const seed = slots[at] ?? 0;
    return seed <= sides ? { seed } : { empty: true };
  };
  for (const pairing of pairingsOf(sides, third)) {
    const { round, slot } = pairing;
    const [left, right] = pairing.third ? [0, 1] : [2 * slot, 2 * slot + 1];
    const [a, b] =
      round === 0
        ? [first(left), first(right)]
        : [from(round - 1, left, pairing.third), from(round - 1, right, pairing.third)];
    nodes.set(keyOf(pairing), {
      ...pairing,
      a,
      b,
      ...outcomeOf(round, a, b, stored.get(keyOf(pairing)), withdrawn),
    });
  }
  return [...nodes.values()];
}

type Outcome = Pick<Node, 'winner' | 'how' | 'automatic'>;
const OPEN: Outcome = { winner: undefined, how: null, automatic: false };

function outcomeOf(
  round: number,
  a: Side,
  b: Side,
  stored: Result | undefined,
  withdrawn: ReadonlySet<number>,
): Outcome {
  if ('from' in a || 'from' in b) return OPEN;
  const [left, right] = [seedOf(a), seedOf(b)];
  if (left === null || right === null) {
    const how = round === 0 ? 'bye' : 'walkover';
    return { winner: left ?? right, how, automatic: true };
  }
  if (stored !== undefined && stored.a === left && stored.b === right)
    return { winner: stored.winner, how: stored.how, automatic: false };
  const coming = [left, right].filter((seed) => !withdrawn.has(seed));
  if (coming.length === 2) return OPEN;
  return { winner: coming[0] ?? null, how: 'walkover', automatic: true };
}

/**
 * Returns the pairings that were decided `before` and are open `after` (CUP-23): those that the
 * former winner had played, and those that depend on them. A result counts again as soon as the
 * same sides meet.
 */
export function reopened(before: readonly Node[], after: readonly Node[]): Node[] {
  const open = new Set(after.filter(({ winner }) => winner === undefined).map(keyOf));
  return before.filter((node) => node.winner !== undefined && open.has(keyOf(node)));
}

/** The scores of a side's counted games (CUP-10), highest first. */
export type SideScores = { seed: number; scores: readonly number[] };

/** The sum of a side's `best` highest scores. */
export const sumOf = ({ scores }: Pick<SideScores, 'scores'>, best: number): number =>
  scores.slice(0, best).reduce((sum, score) => sum + score, 0);

/**
 * Decides a pairing (CUP-12, CUP-13): the higher sum of the `best` scores wins, then the higher
 * best score, second best and so on, then the better seed. Nobody wins if neither side played.
 */
export function decide(
  a: SideScores,
  b: SideScores,
  best: number,
): { winner: number | null; how: CupHow } {
  if (a.scores.length === 0 || b.scores.length === 0) {
    const came = [a, b].find(({ scores }) => scores.length > 0);
    return { winner: came?.seed ?? null, how: 'no_show' };
  }
  const sums = sumOf(a, best) - sumOf(b, best);
  if (sums !== 0) return { winner: sums > 0 ? a.seed : b.seed, how: 'score' };
  for (let at = 0; at < Math.max(a.scores.length, b.scores.length); at += 1) {
    const difference = (a.scores[at] ?? -1) - (b.scores[at] ?? -1);
    if (difference !== 0) return { winner: difference > 0 ? a.seed : b.seed, how: 'best_game' };
  }
  return { winner: Math.min(a.seed, b.seed), how: 'seed' };
}

export type CupGame = {
  id: string;
  machine_id: number;
  player_id: number;
  score: number;
  played_at: Date;
};

const inOrderOfPlay = (a: CupGame, b: CupGame) =>
  a.played_at.getTime() - b.played_at.getTime() ||
  a.machine_id - b.machine_id ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * The games of a side in a window that count, sorted by score (CUP-10): of the first `per_player`
 * games of each player, the first `of`.
 */
export function countedGames<G extends CupGame>(
  games: readonly G[],
  { of, per_player }: { of: number; per_player: number | null },
): G[] {
  const used = new Map<number, number>();
  const allowed = games.toSorted(inOrderOfPlay).filter(({ player_id }) => {
    const played = (used.get(player_id) ?? 0) + 1;
    used.set(player_id, played);
    return played <= (per_player ?? of);
  });
  return allowed.slice(0, of).sort((a, b) => b.score - a.score);
}
