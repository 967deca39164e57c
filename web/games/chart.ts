/** The chart's size and the edges of the area for points, in units of the drawing. */
export const CHART = {
  width: 326,
  height: 172,
  left: 8,
  right: 318,
  top: 25,
  bottom: 140,
  /** The baseline of the dates below the points. */
  dates: 164,
};
/** With fewer games there is no chart (LOOK-55). */
export const CHART_LEAST = 3;
/** More points would overlap (LOOK-55). */
export const CHART_MOST = 40;
/** Left of this x, the number is on the right of the ball, which marks the best score. */
const LEFT_THIRD = CHART.left + (CHART.right - CHART.left) / 3;

/** The ball's radius, the gap to its number, and the characters' outline. */
const [BALL, GAP, OUTLINE] = [8, 6, 2];
const DIGIT_WIDTH = 13;
/** The width of “avg. 1234”. */
const AVERAGE_WIDTH = 62;

export type Point = { x: number; y: number };
export type Label = Point & { anchor: 'start' | 'middle' | 'end' };
export type Chart = {
  points: Point[];
  /** The first point with the best score. */
  best: number;
  label: Label;
  average: { score: number; y: number; label: Label };
};

/** Whether a number beside the ball covers the centre of another dot. */
function coversDot(points: readonly Point[], at: number, score: number, side: 1 | -1): boolean {
  const { x: ballX, y: ballY } = points[at] ?? { x: 0, y: 0 };
  return points.some(({ x, y }, index) => {
    if (index === at) return false;
    const away = side * (x - ballX) - BALL - GAP;
    const down = y - ballY;
    const reach = away - OUTLINE;
    return (
      away >= -OUTLINE &&
      reach <= String(score).length * DIGIT_WIDTH &&
      down >= -OUTLINE - 9 &&
      down <= OUTLINE + 9
    );
  });
}

/**
 * The number of the best score (LOOK-55): left of the ball, or right of it in the left third of the
 * chart. If it would cover a dot, try the other side, then above all dots.
 */
function labelOf(points: readonly Point[], at: number, score: number): Label {
  const { x, y } = points[at] ?? { x: CHART.left, y: CHART.bottom };
  const width = String(score).length * DIGIT_WIDTH;
  const sides: (1 | -1)[] = x < LEFT_THIRD ? [1, -1] : [-1, 1];
  for (const side of sides) {
    const labelX = x + side * (BALL + GAP);
    const end = labelX + side * width;
    if (end < 0 || end > CHART.width || coversDot(points, at, score, side)) continue;
    return { x: labelX, y: y + 9, anchor: side === 1 ? 'start' : 'end' };
  }
  const middle = Math.min(Math.max(x, width / 2), CHART.width - width / 2);
  return { x: middle, y: y - BALL - 3, anchor: 'middle' };
}

/** The box that a text covers. The text's baseline is 3 above the box's bottom. */
type Box = { left: number; right: number; top: number; bottom: number };

function boxOf({ x, y, anchor }: Label, width: number, height: number): Box {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { left, right: left + width, top: y - height, bottom: y + 3 };
}

/** Whether the run from point to point goes through a box. */
const crosses = (points: readonly Point[], { left, right, top, bottom }: Box): boolean =>
  points.slice(1).some((to, at) => {
    const from = points[at] ?? to;
    const [first, last] = [Math.max(from.x, left), Math.min(to.x, right)];
    if (first > last) return false;
    const yAt = (x: number) => from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
    const [one, other] = [yAt(first), yAt(last)];
    return (
      Math.max(one, other) > top - OUTLINE - BALL / 2 &&
      Math.min(one, other) < bottom + OUTLINE + BALL / 2
    );
  });

/**
 * Where the label of the average is: above or below its line at an edge if nothing is drawn there,
 * otherwise between the dates.
 */
function averageLabel(points: readonly Point[], y: number, number: Box): Label {
  const places = (['start', 'end'] as const).flatMap((anchor) =>
    [y - 7, y + 16].map(
      (at): Label => ({ x: anchor === 'start' ? 0 : CHART.width, y: at, anchor }),
    ),
  );
  const free = places.find((label) => {
    const box = boxOf(label, AVERAGE_WIDTH, 11);
    const overNumber =
      box.left < number.right &&
      box.right > number.left &&
      box.top < number.bottom &&
      box.bottom > number.top;
    return box.bottom < CHART.bottom && !overNumber && !crosses(points, box);
  });
  return free ?? { x: CHART.width / 2, y: CHART.dates, anchor: 'middle' };
}

/**
 * Computes a chart's points (LOOK-55, HAND-74). `scores` has at least two whole numbers ≥ 0, oldest
 * first.
 */
export function chartOf(scores: readonly number[]): Chart {
  const highest = Math.max(...scores, 1);
  const yOf = (score: number) => CHART.bottom - (score / highest) * (CHART.bottom - CHART.top);
  const apart = (CHART.right - CHART.left) / (scores.length - 1);
  const points = scores.map((score, at) => ({ x: CHART.left + at * apart, y: yOf(score) }));
  const best = scores.indexOf(Math.max(...scores));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const label = labelOf(points, best, scores[best] ?? 0);
  const number = boxOf(label, String(scores[best] ?? 0).length * DIGIT_WIDTH, 17);
  return {
    points,
    best,
    label,
    average: {
      score: Math.floor(mean + 0.5),
      y: yOf(mean),
      label: averageLabel(points, yOf(mean), number),
    },
  };
}

/** The point nearest to `part` of the chart's width, 0 at the left edge and 1 at the right one. */
export function nearest(part: number, count: number): number {
  const at = ((part * CHART.width - CHART.left) / (CHART.right - CHART.left)) * (count - 1);
  return Math.min(Math.max(Math.round(at), 0), count - 1);
}

/** Where a key leads from point `at`; null for a key that the chart does not know (HAND-74). */
export function pointByKey(key: string, at: number, count: number): number | null {
  const to = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - 5,
    PageUp: at + 5,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1);
}
