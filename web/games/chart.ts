/** The drawing's size, in its own units, and where the scores stand in it. */
export const CHART = { width: 350, height: 178, left: 36, right: 342, top: 29.5, bottom: 150 };
/** With fewer games there is nothing to see over time. */
export const CHART_LEAST = 3;
/** More points would run into each other (look 33). */
export const CHART_MOST = 40;
/** At most so many lines, the one at zero included. */
const LINES = 4;
/** Whether a label at this point finds room to its left. */
const LEFT_THIRD = CHART.left + (CHART.right - CHART.left) / 3;

export type Point = { x: number; y: number };
export type Chart = {
  points: Point[];
  /** The number of the best among them: of equals the earliest. */
  best: number;
  /** Whether the best one's label stands to its right. */
  labelRight: boolean;
  lines: { score: number; y: number }[];
};

/** The distance between two lines: 1, 2 or 5 times a power of ten. */
function stepOf(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(highest / step) < LINES) return step;
}

/**
 * Where the points of a chart stand: `scores` from the oldest to the latest (whole numbers ≥ 0, at
 * least two), evenly spaced, from zero up (look 33).
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
