import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BracketsManager } from 'brackets-manager';
import { InMemoryDatabase } from 'brackets-memory-db';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairingLabel, pairingNamed, roundName } from '#contract/rules/cups.ts';
import {
  type CupGame,
  countedGames,
  decide,
  keyOf,
  type Node,
  order,
  pairingsOf,
  playedPairings,
  type Result,
  reopened,
  resolve,
  roundsOf,
  seedsOf,
} from './bracket.ts';

const SIZES = Array.from({ length: 63 }, (_, at) => at + 2);
const byNumber = (a: number, b: number) => a - b;

/** Plays a whole cup: `winnerOf` names who wins a pairing of two sides. */
function play(
  cup: { sides: number; third: boolean; withdrawn?: ReadonlySet<number> },
  winnerOf: (a: number, b: number, node: Node) => number | null,
): { nodes: Node[]; results: Result[] } {
  const results: Result[] = [];
  for (;;) {
    const nodes = resolve({ ...cup, results });
    const open = nodes.find((node) => node.winner === undefined && seedsOf(node).length === 2);
    if (open === undefined) return { nodes, results };
    const [a = 0, b = 0] = seedsOf(open);
    results.push({
      round: open.round,
      slot: open.slot,
      a,
      b,
      winner: winnerOf(a, b, open),
      how: 'score',
    });
  }
}

describe('CUP-05: the tree', () => {
  test('seeds have the standard order, and fields of 6, 3 and 33 sides get byes', () => {
    expect(order(8)).toEqual([1, 8, 4, 5, 2, 7, 3, 6]);
    const first = (sides: number) =>
      resolve({ sides, third: false })
        .filter(({ round }) => round === 0)
        .map((node) => seedsOf(node).join('–'));
    expect(first(6)).toEqual(['1', '4–5', '2', '3–6']);
    expect(first(3)).toEqual(['1', '2–3']);
    expect(first(33).filter((pair) => pair.includes('–'))).toEqual(['32–33']);
    expect(playedPairings(6, true).map((place) => pairingLabel(place, 3))).toEqual([
      'QF 2',
      'QF 4',
      'SF 1',
      'SF 2',
      'Final',
      'Third place',
    ]);
  });

  test.each(SIZES)('%i sides: the better seed always wins, and the best two meet last', (sides) => {
    const { nodes, results } = play({ sides, third: sides >= 4 }, (a, b) => Math.min(a, b));
    const tree = nodes.filter(({ third }) => !third);
    const byes = tree.filter(({ how }) => how === 'bye');
    expect(byes.map((node) => seedsOf(node)[0]).sort((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 2 ** roundsOf(sides) - sides }, (_, at) => at + 1),
    );
    // No two byes meet, and every pairing that is not a bye eliminates one side.
    expect(results.length).toBe(sides - 1 + (sides >= 4 ? 1 : 0));
    const pairs = results.map(({ a, b }) => [a, b].sort(byNumber).join('–'));
    expect(new Set(pairs).size).toBe(pairs.length);
    const last = roundsOf(sides) - 1;
    expect(seedsOf(tree.find(({ round }) => round === last) as Node).sort(byNumber)).toEqual([
      1, 2,
    ]);
    if (sides >= 4) {
      const semis = tree.filter(({ round }) => round === last - 1).map((node) => seedsOf(node));
      expect(semis.map((pair) => pair.sort(byNumber))).toEqual([
        [1, 4],
        [2, 3],
      ]);
      const third = nodes.find((node) => node.third);
      expect(third && seedsOf(third).sort(byNumber)).toEqual([3, 4]);
    }
  });

  test.each([2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 24, 32, 33, 48, 63, 64])(
    'CUP-40: %i sides get the same places as in brackets-manager',
    async (sides) => {
      const size = 2 ** roundsOf(sides);
      const storage = new InMemoryDatabase();
      const manager = new BracketsManager(storage);
      const stage = await manager.create.stage({
        tournamentId: 0,
        name: 'Cup',
        type: 'single_elimination',
        seeding: Array.from({ length: size }, (_, at) => (at < sides ? `${at + 1}` : null)),
        settings: { seedOrdering: ['inner_outer'], balanceByes: false, consolationFinal: false },
      });
      const data = await manager.get.stageData(stage.id);
      const nameOf = new Map(data.participant.map(({ id, name }) => [id, Number(name)]));
      const pairs = data.match
        .filter(({ round_id }) => data.round.find(({ id }) => id === round_id)?.number === 1)
        .map(({ opponent1, opponent2 }) =>
          [opponent1, opponent2].flatMap((one) =>
            one === null || one?.id === undefined || one.id === null
              ? []
              : (nameOf.get(one.id as number) ?? []),
          ),
        );
      const own = resolve({ sides, third: false })
        .filter(({ round }) => round === 0)
        .map((node) => seedsOf(node));
      const sorted = (list: number[][]) =>
        list.map((pair) => pair.toSorted(byNumber).join('–')).sort();
      expect(sorted(own)).toEqual(sorted(pairs));
      // Who can meet in the second round: the sides of two neighbouring pairings.
      const meet = (list: number[][]) =>
        list.flatMap((pair, at) =>
          at % 2 === 0 ? [[...pair, ...(list[at + 1] ?? [])].sort(byNumber).join('–')] : [],
        );
      expect(meet(own).sort()).toEqual(meet(pairs).sort());
      expect(data.match.length).toBe(pairingsOf(sides, false).length);
    },
  );
});

test('CUP-06: rounds are named from the end, and each pairing has a name of its own', () => {
  expect([0, 1, 2, 3, 4, 5].map((round) => roundName(round, 6))).toEqual([
    'Round of 64',
    'Round of 32',
    'Round of 16',
    'Quarter-finals',
    'Semi-finals',
    'Final',
  ]);
  for (const sides of SIZES) {
    const rounds = roundsOf(sides);
    const places = pairingsOf(sides, sides >= 4);
    const labels = places.map((place) => pairingLabel(place, rounds));
    expect(new Set(labels).size).toBe(labels.length);
    for (const [at, label] of labels.entries())
      expect(pairingNamed(label, places, rounds)).toBe(places[at]);
  }
});

/* An oracle that shares no code with `resolve`: a recursion from the final down. */

type Fact = { round: number; slot: number; a: number; b: number; winner: number | null };

/** The seed that comes out of this slot: `none` if no side does, `open` while it is undecided. */
function comesOut(
  facts: readonly Fact[],
  { sides, withdrawn }: { sides: number; withdrawn: ReadonlySet<number> },
  round: number,
  slot: number,
): number | 'none' | 'open' {
  if (round < 0) {
    // Find the seed of this slot by halving the field: the seeds of one half mirror the other.
    let [at, size] = [slot, 2 ** roundsOf(sides)];
    const turns: boolean[] = [];
    for (; size > 1; size /= 2, at = Math.floor(at / 2)) turns.push(at % 2 === 1);
    let seed = 1;
    for (const turned of turns.toReversed()) {
      size *= 2;
      if (turned) seed = size + 1 - seed;
    }
    return seed <= sides ? seed : 'none';
  }
  const [a, b] = [0, 1].map((side) =>
    comesOut(facts, { sides, withdrawn }, round - 1, 2 * slot + side),
  );
  if (a === 'open' || b === 'open' || a === undefined || b === undefined) return 'open';
  if (a === 'none') return b;
  if (b === 'none') return a;
  const newest = facts.findLast((one) => one.round === round && one.slot === slot);
  if (newest !== undefined && newest.a === a && newest.b === b) return newest.winner ?? 'none';
  if (withdrawn.has(a)) return withdrawn.has(b) ? 'none' : b;
  return withdrawn.has(b) ? a : 'open';
}

test('CUP-03, CUP-13, CUP-16, CUP-22, CUP-23: after any results, withdrawals and corrections, the tree is that of a replay', () => {
  const step = fc.record({
    kind: fc.constantFrom('decide', 'decide', 'decide', 'withdraw', 'correct'),
    pick: fc.nat(1000),
    winner: fc.constantFrom(0, 0, 1, 1, 2),
  });
  let corrections = 0;
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 64 })),
      fc.array(step, { minLength: 30, maxLength: 60 }),
      (sides, steps) => {
        const third = sides >= 4;
        const facts: (Result & Fact)[] = [];
        const withdrawn = new Set<number>();
        const newest = () =>
          [...new Map(facts.map((fact) => [keyOf(fact), fact])).values()] as Result[];
        for (const { kind, pick, winner } of steps) {
          const before = resolve({ sides, third, results: newest(), withdrawn });
          const both = before.filter((node) => seedsOf(node).length === 2);
          if (kind === 'withdraw') {
            withdrawn.add((pick % sides) + 1);
            continue;
          }
          const wanted = both.filter(
            (node) => (kind === 'correct') === (node.winner !== undefined && !node.automatic),
          );
          const node = wanted[pick % Math.max(1, wanted.length)];
          if (node === undefined || node.automatic) continue;
          const [a = 0, b = 0] = seedsOf(node);
          const { round, slot } = node;
          const won = winner === 2 ? null : winner === 0 ? a : b;
          facts.push({ round, slot, a, b, winner: won, how: 'score' });
          const after = resolve({ sides, third, results: newest(), withdrawn });
          const former = node.winner;
          const open = reopened(before, after);
          if (former === won || kind === 'decide') expect(open).toEqual([]);
          else {
            corrections += open.length;
            // Only later pairings on the same path, and the one for third place, may be open.
            for (const other of open)
              expect(
                other.third ||
                  (other.round > round &&
                    other.slot === Math.floor(slot / 2 ** (other.round - round))),
              ).toBe(true);
          }
        }
        const nodes = resolve({ sides, third, results: newest(), withdrawn });
        // A side that has lost once is out.
        const lost = nodes
          .filter((one) => !one.third && one.winner)
          .flatMap((one) => seedsOf(one).filter((seed) => seed !== one.winner));
        expect(new Set(lost).size).toBe(lost.length);
        for (const node of nodes.filter((one) => !one.third)) {
          const out = comesOut(facts, { sides, withdrawn }, node.round, node.slot);
          expect(node.winner === undefined ? 'open' : (node.winner ?? 'none')).toBe(out);
        }
      },
    ),
    { numRuns: 200 },
  );
  expect(corrections).toBeGreaterThan(50);
});

describe('CUP-10, CUP-12, CUP-13: a pairing', () => {
  const side = (seed: number, ...scores: number[]) => ({ seed, scores });
  test.each([
    ['the higher sum', side(1, 300, 200), side(2, 300, 201), 2, 'score'],
    ['equal sums: the better best game', side(1, 300, 200), side(2, 301, 199), 2, 'best_game'],
    ['then one more game', side(1, 300, 200), side(2, 300, 200, 0), 2, 'best_game'],
    ['then the better seed', side(4, 300, 200), side(2, 300, 200), 2, 'seed'],
    ['a side with a game beats a side without', side(1), side(2, 0), 2, 'no_show'],
    ['no game on either side', side(1), side(2), null, 'no_show'],
  ] as const)('%s', (_name, a, b, winner, how) => {
    expect(decide(a, b, 2)).toEqual({ winner, how });
    expect(decide(b, a, 2)).toEqual({ winner, how });
  });

  test('each player’s first games are taken, and the side’s first N of these count', () => {
    const at = (minute: number) => new Date(1_800_000_000_000 + minute * 60_000);
    const game = (player_id: number, score: number, minute: number, machine_id = 1): CupGame => ({
      id: `${player_id}-${score}`,
      machine_id,
      player_id,
      score,
      played_at: at(minute),
    });
    const games = [
      game(1, 900, 30),
      game(1, 100, 10),
      game(1, 200, 20),
      game(2, 300, 15),
      game(3, 400, 40, 2),
      game(3, 500, 40, 1),
    ];
    const scores = (of: number, per_player: number | null) =>
      countedGames(games, { of, per_player }).map(({ score }) => score);
    expect(scores(20, 2)).toEqual([500, 400, 300, 200, 100]);
    expect(scores(4, 2)).toEqual([500, 300, 200, 100]);
    expect(scores(3, null)).toEqual([300, 200, 100]);
    expect(scores(20, null)).toEqual([900, 500, 400, 300, 200, 100]);
  });
});

test('the cup examples in docs/leagues.md are correct', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/leagues.md'), 'utf8');
  const rows = page
    .slice(page.indexOf('## Cups'))
    .split('\n')
    .filter((line) => /^\| (?!--)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const trees = rows.filter(([sides = '']) => /^\d+$/.test(sides) && sides.length < 3);
  const shown = trees.filter((row) => row.length === 2);
  expect(shown.length).toBe(3);
  for (const [sides = '', first = ''] of shown)
    expect([
      sides,
      resolve({ sides: Number(sides), third: false })
        .filter(({ round }) => round === 0)
        .map((node) => [...seedsOf(node), '–'].slice(0, 2).join(' '))
        .join(', '),
    ]).toEqual([sides, first]);
  const pairings = rows.filter((row) => row.length === 4).slice(1);
  expect(pairings.length).toBe(5);
  const scores = (cell: string) => (cell === '' ? [] : cell.split(', ').map(Number));
  for (const [a = '', b = '', winner] of pairings) {
    const won = decide({ seed: 1, scores: scores(a) }, { seed: 2, scores: scores(b) }, 2).winner;
    expect([a, b, won === null ? 'nobody' : won === 1 ? 'A' : 'B']).toEqual([a, b, winner]);
  }
});
