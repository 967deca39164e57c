/** The chart's size and the edges of the area for points, in units of the drawing. */
export const CHART = { width: 350, height: 178, left: 36, right: 342, top: 29.5, bottom: 150 };
/** With fewer games there is no chart (LOOK-55). */
export const CHART_LEAST = 3;
/** More points would overlap (LOOK-55). */
export const CHART_MOST = 40;
/** The most lines of a chart, the line at zero included. */
const LINES = 4;
/** Left of this x, the label is on the right of the ball, which marks the best score. */
const LEFT_THIRD = CHART.left + (CHART.right - CHART.left) / 3;

/** The ball's radius, the gap to its label, and the characters' outline. */
const [BALL, GAP, OUTLINE] = [8, 7, 2];
const [WORDS_WIDTH, DIGIT_WIDTH] = [88, 13];

export type Point = { x: number; y: number };
/** The best score's label: on one line if `above`, otherwise on two. */
export type Label = Point & { anchor: 'start' | 'middle' | 'end'; above: boolean };
export type Chart = {
  points: Point[];
  /** The first point with the best score. */
  best: number;
  label: Label;
  lines: { score: number; y: number }[];
};

function stepOf(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(highest / step) < LINES) return step;
}

/** Whether a label beside the ball covers the centre of another dot. */
function coversDot(points: readonly Point[], at: number, score: number, side: 1 | -1): boolean {
  const { x: ballX, y: ballY } = points[at] ?? { x: 0, y: 0 };
  return points.some(({ x, y }, index) => {
    if (index === at) return false;
    const away = side * (x - ballX) - BALL - GAP;
    const [down, reach] = [y - ballY, away - OUTLINE];
    const inNumber = reach <= String(score).length * DIGIT_WIDTH && down >= -16 && down <= 6;
    const inWords = reach <= WORDS_WIDTH && down >= 6 && down <= 27;
    return away >= -OUTLINE && (inNumber || inWords);
  });
}

/**
 * The label of the best score (LOOK-55): left of the ball, or right of it in the left third of the
 * chart. If the label would cover a dot, try the other side, then one line above all dots.
 */
function labelOf(points: readonly Point[], at: number, score: number): Label {
  const { x, y } = points[at] ?? { x: CHART.left, y: CHART.bottom };
  const sides: (1 | -1)[] = x < LEFT_THIRD ? [1, -1] : [-1, 1];
  for (const side of sides) {
    const labelX = x + side * (BALL + GAP);
    const end = labelX + side * WORDS_WIDTH;
    if (end < CHART.left || end > CHART.width || coversDot(points, at, score, side)) continue;
    return { x: labelX, y: y + 4, anchor: side === 1 ? 'start' : 'end', above: false };
  }
  const half = (String(score).length * DIGIT_WIDTH + WORDS_WIDTH) / 2;
  const middle = Math.min(Math.max(x, half), CHART.width - half);
  return { x: middle, y: y - BALL - 5, anchor: 'middle', above: true };
}

/**
 * Computes a chart's points and lines (LOOK-55). `scores` has at least two whole numbers ≥ 0,
 * oldest first.
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
  return { points, best, label: labelOf(points, best, scores[best] ?? 0), lines };
}
