import { describe, expect, it } from 'vitest';
import { CHART, chartOf } from './chart.ts';

describe('the points', () => {
  const { points, best, labelRight, lines } = chartOf([300, 0, 611, 305.5]);

  it('go from left to right, and from zero to the best', () => {
    expect(points.map(({ x }) => x)).toEqual([36, 138, 240, 342]);
    expect(points[1]?.y).toBe(CHART.bottom);
    expect(points[2]?.y).toBe(CHART.top);
    expect(points[3]?.y).toBe((CHART.top + CHART.bottom) / 2);
  });

  it('include the best one, with its label on the left', () => {
    expect([best, labelRight]).toEqual([2, false]);
    expect(lines.map(({ score }) => score)).toEqual([0, 200, 400, 600]);
  });
});

it('marks the earliest of equal best scores, with its label on the right in the left third', () => {
  expect(chartOf([5, 9, 9, 1, 1, 1])).toMatchObject({ best: 1, labelRight: true });
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
