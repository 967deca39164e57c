import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aimOf,
  BALL,
  count,
  crossesBoard,
  GAME_S,
  goodShare,
  judgeShot,
  markerAt,
  NO_SHOTS,
  type Outcome,
  SHOT_MS,
  secondsLeft,
} from './game.ts';

const shot = (marker: number, misses = 0) =>
  judgeShot({ marker, held: false, onBoard: true }, misses);

describe('LOOK-91 the score', () => {
  test.each([
    [0.5, 'square'],
    [0.431, 'square'],
    [0.569, 'square'],
    [0.42, 'hit'],
    [0.58, 'hit'],
    [0.321, 'hit'],
    [0.679, 'hit'],
    [0.31, 'miss'],
    [0.69, 'miss'],
    [0.02, 'miss'],
  ] as [number, Outcome][])('a shot with the marker at %d is a %s', (marker, outcome) => {
    expect(shot(marker)).toBe(outcome);
  });

  test('a hit scores 30 points, a hit off the square 50', () => {
    const outcomes: Outcome[] = ['hit', 'miss', 'square', 'miss', 'miss'];
    expect(outcomes.reduce(count, NO_SHOTS)).toEqual({
      score: 80,
      shots: 5,
      hits: 2,
      squares: 1,
      misses: 2,
    });
  });

  test('three misses in a row make the zone 6 % wider until the next hit', () => {
    expect([0, 2, 3, 5, 6].map((misses) => Math.round(100 * goodShare(misses)))).toEqual([
      36, 36, 42, 42, 48,
    ]);
    expect(shot(0.3, 2)).toBe('miss');
    expect(shot(0.3, 3)).toBe('hit');
    expect(count({ ...NO_SHOTS, misses: 4 }, 'hit').misses).toBe(0);
    expect(goodShare(1000)).toBe(1);
  });

  test('with the meter held still, any shot at the board scores 30', () => {
    for (const marker of [0, 0.5, 1])
      expect(judgeShot({ marker, held: true, onBoard: true }, 0)).toBe('hit');
    expect(judgeShot({ marker: 0.5, held: true, onBoard: false }, 0)).toBe('miss');
  });

  test('in any game, each hit scores 30, or 50 if it is off the square', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Outcome>('square', 'hit', 'miss')), (outcomes) => {
        const { score, shots, hits, squares } = outcomes.reduce(count, NO_SHOTS);
        expect(score).toBe(30 * (hits - squares) + 50 * squares);
        expect(squares).toBeLessThanOrEqual(hits);
        expect(hits).toBeLessThanOrEqual(shots);
        expect(shots).toBe(outcomes.length);
      }),
    );
  });

  test('a player who shoots once per sweep and is off by 60 ms each time scores 200 to 650', () => {
    const totals = [-60, 60].map((off) => {
      let tally = NO_SHOTS;
      // The marker is in the middle after half a sweep, then once per sweep.
      for (let at = 550 + off; at < GAME_S * 1000; at += 1100)
        tally = count(tally, shot(markerAt(at, false), tally.misses));
      return tally.score;
    });
    for (const total of totals) {
      expect(total).toBeGreaterThanOrEqual(200);
      expect(total).toBeLessThanOrEqual(650);
    }
  });
});

describe('LOOK-91 the meter', () => {
  test('goes from end to end and back', () => {
    expect(markerAt(0, false)).toBeCloseTo(0.02);
    expect(markerAt(550, false)).toBeCloseTo(0.5);
    expect(markerAt(1100, false)).toBeCloseTo(0.98);
    expect(markerAt(1650, false)).toBeCloseTo(0.5);
    expect(markerAt(2200, false)).toBeCloseTo(0.02);
  });

  test('takes nine steps at half speed with reduced motion, one step in the square', () => {
    const places = new Set<number>();
    for (let ms = 0; ms < 4400; ms += 10) places.add(markerAt(ms, true));
    expect(places.size).toBe(9);
    expect([...places].filter((place) => shot(place) === 'square')).toEqual([0.5]);
    expect(markerAt(2199, true)).toBeCloseTo(0.98);
  });

  test('the marker stays on the meter', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 60_000, noNaN: true }), fc.boolean(), (ms, stepped) => {
        const place = markerAt(ms, stepped);
        return place >= 0.02 - 1e-9 && place <= 0.98 + 1e-9;
      }),
    );
  });
});

describe('LOOK-91 flick and drag', () => {
  const from = { x: BALL.x, y: BALL.y };
  test.each([
    ['straight up', { x: 390, y: 448 }, true],
    ['a little, straight up', { x: 390, y: 520 }, true],
    ['far, in the same direction', { x: 440, y: 348 }, true],
    ['far to the side', { x: 560, y: 500 }, false],
  ])('a flick %s is judged by where it crosses the board', (_, to, onBoard) => {
    const aim = aimOf(from, to);
    expect(aim).not.toBeNull();
    expect(crossesBoard(aim ?? 0)).toBe(onBoard);
  });

  test.each([
    ['a tap', { x: 391, y: 547 }],
    ['down', { x: 390, y: 600 }],
    ['to the side', { x: 500, y: 548 }],
  ])('%s is no shot', (_, to) => {
    expect(aimOf(from, to)).toBeNull();
  });
});

test('LOOK-91 a game counts down from 20 seconds', () => {
  expect([0, 1, 1000, 1001, 19_999, 20_000, 30_000].map(secondsLeft)).toEqual([
    20, 20, 19, 19, 1, 0, 0,
  ]);
  expect(SHOT_MS).toBe(450);
});
