import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNudging, turningGain } from './turning.ts';

const BEST = 4;
/** Skips weeks with more possible sequences of scores than this. */
const TRIES = 70_000;

/** Whether up to `left` games, none above `high`, can bring the team level or ahead (NUDGE-01). */
function someGamesTurn(gap: number, scores: number[], left: number, high: number): boolean {
  const totalOf = (all: number[]) =>
    [...all]
      .sort((a, b) => b - a)
      .slice(0, BEST)
      .reduce((sum, one) => sum + one, 0);
  const before = totalOf(scores);
  const tryAll = (played: number[], more: number): boolean => {
    const grown = totalOf([...scores, ...played]) - before;
    if (gap >= 0 && grown >= gap && grown > 0) return true;
    if (more === 0) return false;
    for (let score = 0; score <= high; score += 1)
      if (tryAll([...played, score], more - 1)) return true;
    return false;
  };
  return tryAll([], left);
}

test('NUDGE-01, PUSH-T8: there is a gain if and only if the player can turn the week without a new high score', () => {
  const week = fc
    .record({
      high: fc.integer({ min: 0, max: 9 }),
      left: fc.integer({ min: 0, max: 8 }),
      gap: fc.integer({ min: -3, max: 40 }),
      elsewhere: fc.integer({ min: 0, max: 8 }),
    })
    .filter(({ high, left }) => (high + 1) ** left <= TRIES)
    .chain((one) =>
      fc
        .array(fc.integer({ min: 0, max: one.high }), {
          maxLength: Math.max(0, 8 - one.left - one.elsewhere),
        })
        .map((scores) => ({ ...one, scores })),
    );
  let turned = 0;
  fc.assert(
    fc.property(week, ({ gap, scores, left, high }) => {
      const gain = turningGain(gap, { scores, left, high_score: high });
      const expected = someGamesTurn(gap, scores, left, high);
      if (expected) turned += 1;
      expect(gain !== null).toBe(expected);
    }),
    { numRuns: 300 },
  );
  expect(turned).toBeGreaterThan(20);
});

test.each([
  // One game left, which replaces the fourth best.
  [135, [611, 402, 388, 341, 300, 200, 100], 1, 611, 270],
  [270, [611, 402, 388, 341, 300, 200, 100], 1, 611, 270],
  [271, [611, 402, 388, 341, 300, 200, 100], 1, 611, null],
  // Level: the smallest gain leads.
  [0, [5, 5, 5, 4], 1, 5, 1],
  [0, [5, 5, 5, 5], 4, 5, null],
  [-1, [], 8, 500, null],
  [0, [], 8, 0, null],
  [1, [], 0, 500, null],
])(
  'a gap of %d with scores %j, %d games left and a high score of %d has the gain %s',
  (gap, scores, left, high_score, gain) => {
    expect(turningGain(gap, { scores, left, high_score })).toBe(gain);
  },
);

test('NUDGE-02: nudging is possible from Thursday 00:00 until an hour before the close, on the league’s clock', () => {
  const at = (iso: string) => isNudging('2026-11-23', 'America/New_York', new Date(iso));
  expect(at('2026-11-26T04:59:59.999Z')).toBe(false);
  expect(at('2026-11-26T05:00:00Z')).toBe(true);
  expect(at('2026-11-30T03:59:59.999Z')).toBe(true);
  expect(at('2026-11-30T04:00:00Z')).toBe(false);
});
