/** The chart's size, and the edges of the area for its points, in units of the drawing. */
export const CHART = { width: 350, height: 178, left: 36, right: 342, top: 29.5, bottom: 150 };
/** The minimum number of games for a chart (LOOK-55). */
export const CHART_LEAST = 3;
/** The maximum number of points; more would overlap (LOOK-55). */
export const CHART_MOST = 40;
/** The maximum number of lines, including the one at zero. */
const LINES = 4;
/** A point left of this position has its label on the right, because its left side has no room. */
const LEFT_THIRD = CHART.left + (CHART.right - CHART.left) / 3;

export type Point = { x: number; y: number };
export type Chart = {
  points: Point[];
  /** The index of the point with the best score; the earliest one if several are equal. */
  best: number;
  labelRight: boolean;
  lines: { score: number; y: number }[];
};

/** The score between two neighbouring lines: 1, 2 or 5 times a power of ten. */
function stepOf(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(highest / step) < LINES) return step;
}

/**
 * The points and lines of a chart (LOOK-55). `scores`: at least two whole numbers ≥ 0, oldest
 * first. Points are evenly spaced. The scale starts at zero.
 */
export function chartOf(scores: readonly number[]): Chart {
  const highest = Math.max(...scores, 1);
  const yOf = (score: number) => CHART.bottom - (score / highest) * (CHART.bottom - CHART.top);
  const apart = (CHART.right - CHART.left) / (scores.length - 1);
  const points = scores.map((score, at) => ({ x: CHART.left + at * apart, y: yOf(score) }));
  const best = scores.indexOf(Math.max(...scores));
  const step = stepOf(highest);
  const lines = Array.from({ length: Math.floor(highest / step) + 1 }, (_, at) => ({
    score: at * step,
    y: yOf(at * step),
  }));
  return { points, best, labelRight: (points[best]?.x ?? 0) < LEFT_THIRD, lines };
}
