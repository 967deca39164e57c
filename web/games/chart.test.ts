import { describe, expect, it } from 'vitest';
import { barOf } from './bars.ts';
import { CHART, chartOf, type Label, nearest, pointByKey } from './chart.ts';

describe('the points', () => {
  const { points, best, label, average } = chartOf([300, 0, 600, 300]);

  it('go from left to right, and from zero to the best', () => {
    expect(points.map(({ x }) => Math.round(x))).toEqual([8, 111, 215, 318]);
    expect(points[1]?.y).toBe(CHART.bottom);
    expect(points[2]?.y).toBe(CHART.top);
    expect(points[3]?.y).toBe((CHART.top + CHART.bottom) / 2);
  });

  it('include the best point, with its number on the left, and the average', () => {
    expect(best).toBe(2);
    expect(label).toEqual({ x: expect.closeTo(200.67, 1), y: 34, anchor: 'end' });
    expect(average.score).toBe(300);
    expect(average.y).toBe(points[0]?.y);
  });
});

it('the earliest of equal best scores is marked, on the left with its number on the right', () => {
  const { best, label, average } = chartOf([5, 9, 1, 9, 1, 1, 1, 1]);
  expect([best, label.anchor, average.label.anchor]).toEqual([1, 'start', 'start']);
});

it('all points are on the line at zero if all scores are zero', () => {
  expect(chartOf([0, 0, 0]).points.map(({ y }) => y)).toEqual([140, 140, 140]);
});

describe('the number of the best score (LOOK-55)', () => {
  it.each([
    ['is on the other side if it would cover a dot', [1, 1, 1, 1, 88, 90, 1, 1, 1, 1], 'start'],
    ['is above all dots if there are dots on both sides', [1, 1, 8, 8, 8, 9, 8, 8, 8, 1], 'middle'],
  ])('%s', (_, scores, anchor) => {
    const scaled = scores.map((score) => score * 100 + (score > 7 && score < 9 ? 60 : 0));
    expect(chartOf(scaled).label.anchor).toBe(anchor);
  });

  /** What a number covers, as [left, top, right, bottom]. */
  function boxOf({ x, y, anchor }: Label, score: number): [number, number, number, number] {
    const width = String(score).length * 12;
    const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    return [left, y - 17, left + width, y];
  }

  it('never covers half of a dot and stays inside the drawing', () => {
    // Seeded, so that a failure can be repeated.
    let seed = 7;
    const upTo = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % limit;
    };
    for (let run = 0; run < 3000; run += 1) {
      const limit = [1, 3, 50, 700, 9999][upTo(5)] ?? 1;
      const scores = Array.from({ length: 3 + upTo(38) }, () => upTo(limit));
      const { points, best, label } = chartOf(scores);
      const [left, top, right, bottom] = boxOf(label, scores[best] ?? 0);
      const covered = points.filter(
        ({ x, y }, at) => at !== best && x > left && x < right && y > top && y < bottom,
      );
      expect(covered, scores.join()).toEqual([]);
      expect(left, scores.join()).toBeGreaterThanOrEqual(0);
      expect(right, scores.join()).toBeLessThanOrEqual(CHART.width);
      expect(top, scores.join()).toBeGreaterThanOrEqual(-8);
    }
  });
});

it('HAND-74 a tap selects the nearest point', () => {
  expect([-1, 0, 0.02, 0.4, 0.5, 0.99, 2].map((part) => nearest(part, 5))).toEqual([
    0, 0, 0, 2, 2, 4, 4,
  ]);
});

it.each([
  ['ArrowLeft', 6],
  ['ArrowRight', 8],
  ['PageDown', 2],
  ['PageUp', 9],
  ['Home', 0],
  ['End', 9],
  ['Tab', null],
])('HAND-74 %s leads from the eighth of ten points to index %s', (key, to) => {
  expect(pointByKey(key, 7, 10)).toBe(to);
});

it('HAND-82 bars begin 20 % below the lowest average', () => {
  expect(barOf(500, [300, 500])).toBe(1);
  expect(barOf(300, [300, 500])).toBeCloseTo(60 / 260);
  expect(barOf(null, [300, 500])).toBe(0);
  expect(barOf(0, [0])).toBe(1);
});
