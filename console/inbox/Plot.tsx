import { usual } from './words.ts';

const WIDTH = 300;
const [LEFT, RIGHT] = [8, 248];
const [BASE, DOT] = [55, 6.2];
/** How many dots are stacked on the first. The dots of more games with the same score overlap. */
const STACK_MAX = 7;

/** The scale's end: the first round number that is not below `highest`. */
function endOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 10)));
  return [1, 2, 4, 6, 8, 10].map((times) => times * power).find((end) => end >= highest) ?? 10;
}

/**
 * The player's last scores as dots, their middle 90 % as a band, and the case's score as the ball.
 * If the score is beyond the scale, the axis breaks before the ball.
 */
export function Plot({ scores, score, name }: { scores: number[]; score: number; name: string }) {
  const range = usual(scores);
  if (range === null)
    return <p className="sm mt1">No counted game yet, so nothing to compare with.</p>;
  const end = endOf(Math.max(...scores));
  const x = (value: number) => LEFT + (value / end) * (RIGHT - LEFT);
  const beyond = score > end;
  const heights = new Map<number, number>();
  const dots = scores.map((value) => {
    const column = Math.round(x(value) / DOT);
    const height = heights.get(column) ?? 0;
    heights.set(column, height + 1);
    return { cx: column * DOT, cy: BASE - Math.min(height, STACK_MAX) * DOT };
  });
  const ball = beyond ? 286 : x(score);
  const anchor = ball < 40 ? 'start' : ball > 220 ? 'end' : 'middle';
  const label = ball < 40 ? ball - 8 : ball > 220 ? Math.min(ball + 14, WIDTH) : ball;
  const place = score > range.high ? 'above' : score < range.low ? 'below' : 'inside that range';
  return (
    <svg
      className="plot"
      viewBox={`0 0 ${WIDTH} 84`}
      role="img"
      aria-label={`${name}: most of the last ${scores.length} games lie between ${range.low} and ${range.high}; this one, ${score.toLocaleString('en')}, is ${place}`}
    >
      <rect
        className="band"
        x={x(range.low) - 6}
        y="10"
        width={x(range.high) - x(range.low) + 12}
        height="50"
        rx="9"
      />
      {dots.map(({ cx, cy }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the dots of a case never change their order
        <circle key={at} className="d" cx={cx} cy={cy} r="2.8" />
      ))}
      <path
        className="ax"
        d={beyond ? 'M8 63H256m4 4 5-8m0 8 5-8M272 63H298' : 'M8 63H248'}
        fill="none"
      />
      {[0, 1, 2].map((part) => (
        <text key={part} x={x((end * part) / 2)} y="80" textAnchor="middle">
          {((end * part) / 2).toLocaleString('en')}
        </text>
      ))}
      <circle className="h" cx={ball} cy="53" r="8" />
      <text className="hl" x={label} y="37" textAnchor={anchor}>
        {score.toLocaleString('en')}
      </text>
    </svg>
  );
}
