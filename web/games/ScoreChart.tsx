import { useState } from 'react';
import type { PlayedGame } from '#contract/wire/games.ts';
import { clockTime, dayAndMonth, isSameDay, weekdayAndDay } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { CHART, type Chart, chartOf } from './chart.ts';
import styles from './ScoreChart.module.css';

type ScoreChartProps = {
  /** At least CHART_LEAST games, newest first. All count in the figures. */
  games: readonly PlayedGame[];
  bestId: string | undefined;
};

const dayOf = (game: PlayedGame, now: Date) => {
  const day = new Date(game.played_at);
  return isSameDay(day, now) ? 'Today' : dayAndMonth(day, now);
};

function sentence(oldestFirst: readonly PlayedGame[], chart: Chart, now: Date): string {
  const scores = oldestFirst.map(({ score }) => score);
  const best = oldestFirst[chart.best];
  const day = best === undefined ? '' : ` on ${weekdayAndDay(new Date(best.played_at), now)}`;
  return `Your last ${scores.length} scores. Lowest ${Math.min(...scores)}, highest ${Math.max(...scores)}${day}, latest ${scores.at(-1)}.`;
}

function Drawing({ games, bestId }: ScoreChartProps) {
  const now = serverDate();
  const oldestFirst = games.toReversed();
  const chart = chartOf(oldestFirst.map(({ score }) => score));
  const { points, label, lines } = chart;
  const best = points[chart.best];
  const bestGame = oldestFirst[chart.best];
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  if (best === undefined || bestGame === undefined || !first || !last) return null;
  const words = bestGame.id === bestId ? 'Personal best' : 'Best of these';
  const firstDay = dayOf(first, now);
  const lastDay = dayOf(last, now);
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${CHART.width} ${CHART.height}`}
      role="img"
      aria-label={sentence(oldestFirst, chart, now)}
    >
      {lines.map(({ score, y }) => (
        <g key={score}>
          <path className={styles.line} d={`M${CHART.left} ${y}H${CHART.width}`} />
          <text x={CHART.left - 8} y={y + 4.5} textAnchor="end">
            {score}
          </text>
        </g>
      ))}
      <path className={styles.run} d={`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`} />
      {points.map(({ x, y }, at) =>
        at === chart.best ? null : (
          <circle key={oldestFirst[at]?.id} className={styles.dot} cx={x} cy={y} r="4" />
        ),
      )}
      <circle className={styles.best} cx={best.x} cy={best.y} r="8" />
      <text className={styles.label} textAnchor={label.anchor} x={label.x} y={label.y}>
        <tspan className={styles.number}>{bestGame.score}</tspan>
        {label.above ? (
          <tspan dx="6">{words}</tspan>
        ) : (
          <tspan x={label.x} dy="17">
            {words}
          </tspan>
        )}
      </text>
      {firstDay !== lastDay && (
        <text x={CHART.left} y="174">
          {firstDay}
        </text>
      )}
      <text x={CHART.width} y="174" textAnchor="end">
        {lastDay}
      </text>
    </svg>
  );
}

function Table({ games, bestId }: ScoreChartProps) {
  const now = serverDate();
  return (
    <table className={styles.table}>
      <caption className="sr">Your last scores</caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Machine</th>
          <th scope="col">Score</th>
        </tr>
      </thead>
      <tbody>
        {games.map((game) => {
          const at = new Date(game.played_at);
          return (
            <tr key={game.id}>
              <td>
                {weekdayAndDay(at, now)} {clockTime(at)}
              </td>
              <td>{game.machine}</td>
              <td>
                {game.id === bestId && <span className={styles.tag}>Best</span>} {game.score}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Scores over time, as a chart or as a table (LOOK-55). */
export function ScoreChart(props: ScoreChartProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title="Scores over time"
      left
      aside={
        <button type="button" className="textlink" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </button>
      }
    >
      {asTable ? <Table {...props} /> : <Drawing {...props} />}
    </Panel>
  );
}
