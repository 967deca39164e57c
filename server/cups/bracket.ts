/**
 * The tree of a cup (CUP-05 to 23): which seeds meet, who goes on, and what a correction reopens.
 * Pure functions; a side is its seed, from 1.
 */

/** Round 0 is the first. In each round, `slot` counts pairings from 0; slot s of round r is fed by slots 2s and 2s + 1 of round r - 1. */
export type Place = { round: number; slot: number };

export type Pairing = Place & {
  /** The match for third place has the final's round and slot 1. */
  third: boolean;
};

/** Why somebody won. */
export type How = 'score' | 'best_game' | 'seed' | 'no_show' | 'walkover' | 'ruling' | 'bye';

/** A stored result. `winner` is null if both sides stayed away. */
export type Result = Place & { winner: number | null };

/**
 * One side of a pairing: a seed; `empty` if nobody can come; otherwise the pairing that decides it,
 * by its winner or its loser.
 */
export type Side = { seed: number } | { empty: true } | { from: Place; loser: boolean };

/** The slots of a tree of `size` places, a power of two (CUP-05): 1 8 4 5 2 7 3 6. */
export function order(size: number): number[] {
  if (size === 1) return [1];
  return order(size / 2).flatMap((seed) => [seed, size + 1 - seed]);
}

/** The number of rounds for `sides`, 2 to 64. */
export function roundsOf(sides: number): number {
  return Math.ceil(Math.log2(sides));
}

/** All pairings of a cup, round by round; the third place last, if it is played. */
export function pairingsOf(sides: number, third: boolean): Pairing[] {
  const rounds = roundsOf(sides);
  const tree = Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: 2 ** (rounds - 1 - round) }, (_slot, slot) => ({
      round,
      slot,
      third: false,
    })),
  ).flat();
  return third && rounds > 1 ? [...tree, { round: rounds - 1, slot: 1, third: true }] : tree;
}

const keyOf = ({ round, slot }: Place) => `${round} ${slot}`;

/** The tree with what is known: both sides of each pairing, and who won it. */
export type Node = Pairing & {
  a: Side;
  b: Side;
  /** undefined: not decided. null: decided without a winner. */
  winner: number | null | undefined;
  /** Decided by the tree alone: a bye, or an empty slot opposite. */
  automatic: boolean;
};

/**
 * Resolves a cup of `sides` seeds with its stored `results`: a bye is decided from the start, and a
 * side whose opposite slot is empty goes on at once (CUP-13).
 */
export function resolve(sides: number, third: boolean, results: readonly Result[]): Node[] {
  const stored = new Map(results.map((result) => [keyOf(result), result.winner]));
  const slots = order(2 ** roundsOf(sides));
  const nodes = new Map<string, Node>();
  const sideFrom = (from: Place, loser: boolean): Side => {
    const node = nodes.get(keyOf(from));
    if (node === undefined || node.winner === undefined) return { from, loser };
    const seeds = [node.a, node.b].flatMap((side) => ('seed' in side ? side.seed : []));
    const seed = loser ? seeds.find((one) => one !== node.winner) : node.winner;
    // A pairing without a winner sends nobody on, and neither of its sides plays for third place.
    if (node.winner === null || seed === undefined || seed === null) return { empty: true };
    return { seed };
  };
  const firstSide = (place: number): Side => {
    const seed = slots[place] ?? 0;
    return seed <= sides ? { seed } : { empty: true };
  };
  for (const pairing of pairingsOf(sides, third)) {
    const { round, slot } = pairing;
    const [a, b] = pairing.third
      ? [
          sideFrom({ round: round - 1, slot: 0 }, true),
          sideFrom({ round: round - 1, slot: 1 }, true),
        ]
      : round === 0
        ? [firstSide(2 * slot), firstSide(2 * slot + 1)]
        : [
            sideFrom({ round: round - 1, slot: 2 * slot }, false),
            sideFrom({ round: round - 1, slot: 2 * slot + 1 }, false),
          ];
    const alone = aloneIn(a, b);
    nodes.set(keyOf(pairing), {
      ...pairing,
      a,
      b,
      winner: alone === undefined ? stored.get(keyOf(pairing)) : alone,
      automatic: alone !== undefined,
    });
  }
  return [...nodes.values()];
}

/** Who goes on without a game because the other slot is empty; undefined if both may be there. */
function aloneIn(a: Side, b: Side): number | null | undefined {
  const [emptyA, emptyB] = ['empty' in a, 'empty' in b];
  if (emptyA && emptyB) return null;
  if (emptyA && 'seed' in b) return b.seed;
  if (emptyB && 'seed' in a) return a.seed;
  return undefined;
}

/**
 * The pairings that are reopened when the winner of `at` changes from `former` (CUP-23): each
 * decided pairing above it in which the former winner, or for third place the former loser, played.
 */
export function reopened(nodes: readonly Node[], at: Place): Node[] {
  const changed = nodes.find(
    (node) => !node.third && node.round === at.round && node.slot === at.slot,
  );
  if (changed === undefined || typeof changed.winner !== 'number') return [];
  const former = changed.winner;
  const moved = [changed.a, changed.b].flatMap((side) => ('seed' in side ? side.seed : []));
  const last = Math.max(...nodes.map(({ round }) => round));
  return nodes.filter((node) => {
    if (node.winner === undefined || node.automatic) return false;
    const seeds = [node.a, node.b].flatMap((side) => ('seed' in side ? side.seed : []));
    if (seeds.includes(former) && (node.third || node.round > at.round)) return true;
    return node.third && at.round === last - 1 && seeds.some((seed) => moved.includes(seed));
  });
}

/** How often and how well a side scored in a window: the counted games' scores, best first. */
export type SideScore = { seed: number; scores: readonly number[] };

/**
 * Who wins a pairing of two sides (CUP-10, CUP-12, CUP-13), by the sum of the `best` scores, then
 * the scores one after the other, then the better seed. The winner is null if neither played.
 */
export function decide(
  a: SideScore,
  b: SideScore,
  best: number,
): { winner: number | null; how: How } {
  if (a.scores.length === 0 && b.scores.length === 0) return { winner: null, how: 'no_show' };
  if (a.scores.length === 0) return { winner: b.seed, how: 'no_show' };
  if (b.scores.length === 0) return { winner: a.seed, how: 'no_show' };
  const sums = sumOf(a, best) - sumOf(b, best);
  if (sums !== 0) return { winner: sums > 0 ? a.seed : b.seed, how: 'score' };
  for (let at = 0; at < Math.max(a.scores.length, b.scores.length); at += 1) {
    const difference = (a.scores[at] ?? -1) - (b.scores[at] ?? -1);
    if (difference !== 0) return { winner: difference > 0 ? a.seed : b.seed, how: 'best_game' };
  }
  return { winner: Math.min(a.seed, b.seed), how: 'seed' };
}

/** The sum of a side's `best` highest scores. */
export function sumOf({ scores }: SideScore, best: number): number {
  return scores.slice(0, best).reduce((sum, score) => sum + score, 0);
}

/** Rounds are named from the end (CUP-06): the sides that are left when it begins. */
export function roundName(round: number, sides: number): string {
  const left = 2 ** (roundsOf(sides) - round);
  if (left === 2) return 'Final';
  if (left === 4) return 'Semi-finals';
  if (left === 8) return 'Quarter-finals';
  return `Round of ${left}`;
}
