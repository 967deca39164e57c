import { describe, expect, it } from 'vitest';
import { CHART, chartOf, type Label } from './chart.ts';

describe('the points', () => {
  const { points, best, label, lines } = chartOf([300, 0, 611, 305.5]);

  it('go from left to right, and from zero to the best', () => {
    expect(points.map(({ x }) => x)).toEqual([36, 138, 240, 342]);
    expect(points[1]?.y).toBe(CHART.bottom);
    expect(points[2]?.y).toBe(CHART.top);
    expect(points[3]?.y).toBe((CHART.top + CHART.bottom) / 2);
  });

  it('include the best one, with its label on the left', () => {
    expect(best).toBe(2);
    expect(label).toEqual({ x: 225, y: 33.5, anchor: 'end', above: false });
    expect(lines.map(({ score }) => score)).toEqual([0, 200, 400, 600]);
  });
});

it('marks the earliest of equal best scores, with its label on the right in the left third', () => {
  const { best, label } = chartOf([5, 9, 1, 9, 1, 1, 1, 1]);
  expect([best, label.anchor]).toEqual([1, 'start']);
});

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 2, 4]],
  [999, [0, 500]],
  [1000, [0, 500, 1000]],
  [399, [0, 100, 200, 300]],
  [9999, [0, 5000]],
])('up to %d there are at most four lines at round scores', (highest, lines) => {
  expect(chartOf([0, highest]).lines.map(({ score }) => score)).toEqual(lines);
});

it('draws all points on the line at zero if all scores are zero', () => {
  expect(chartOf([0, 0, 0]).points.map(({ y }) => y)).toEqual([150, 150, 150]);
});

/** What a label's text covers, as [left, top, right, bottom]. */
function boxesOf({ x, y, anchor, above }: Label, score: number): number[][] {
  const [number, words] = [String(score).length * 12, 84];
  const from = (width: number) =>
    anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  if (above) return [[from(number + words), y - 18, from(number + words) + number + words, y + 5]];
  return [
    [from(number), y - 18, from(number) + number, y],
    [from(words), y + 6, from(words) + words, y + 21],
  ];
}

describe('the label of the best score (LOOK-55)', () => {
  it.each([
    ['is on the other side if it would cover a dot', [1, 1, 1, 1, 88, 90, 1, 1, 1, 1], 'start'],
    ['is above all dots if there are dots on both sides', [1, 1, 8, 8, 8, 9, 8, 8, 8, 1], 'middle'],
  ])('%s', (_, scores, anchor) => {
    expect(chartOf(scores).label.anchor).toBe(anchor);
  });

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
      for (const [left = 0, top = 0, right = 0, bottom = 0] of boxesOf(label, scores[best] ?? 0)) {
        const covered = points.filter(
          ({ x, y }, at) => at !== best && x > left && x < right && y > top && y < bottom,
        );
        expect(covered, scores.join()).toEqual([]);
        expect(left, scores.join()).toBeGreaterThanOrEqual(0);
        expect(right, scores.join()).toBeLessThanOrEqual(CHART.width);
      }
    }
  });
});
