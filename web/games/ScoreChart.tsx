import { type PointerEvent, useId, useState } from 'react';
import type { PlayedGame } from '#contract/wire/games.ts';
import { dayAndMonth, weekdayAndDay } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime, isSameDay } from '../ui/times.ts';
import { CHART, type Chart, chartOf, nearest, pointByKey } from './chart.ts';
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

/** “Today 19:34, Hoop 2” */
function whenAndWhere(game: PlayedGame, now: Date): string {
  const at = new Date(game.played_at);
  return isSameDay(at, now)
    ? `Today ${clockTime(at)}, ${game.machine}`
    : `${weekdayAndDay(at, now)} ${clockTime(at)}, ${game.machine}`;
}

function sentence(oldestFirst: readonly PlayedGame[], chart: Chart, now: Date): string {
  const scores = oldestFirst.map(({ score }) => score);
  const best = oldestFirst[chart.best];
  const day = best === undefined ? '' : ` on ${weekdayAndDay(new Date(best.played_at), now)}`;
  return `Your last ${scores.length} scores. Lowest ${Math.min(...scores)}, highest ${Math.max(...scores)}${day}, latest ${scores.at(-1)}, average ${chart.average.score}.`;
}

function Drawing({ games }: Pick<ScoreChartProps, 'games'>) {
  const about = useId();
  /** The id of the chosen game; null for the newest. */
  const [chosen, setChosen] = useState<string | null>(null);
  const now = serverDate();
  const oldestFirst = games.toReversed();
  const count = oldestFirst.length;
  const chart = chartOf(oldestFirst.map(({ score }) => score));
  const { points, label, average } = chart;
  const found = oldestFirst.findIndex(({ id }) => id === chosen);
  const at = found === -1 ? count - 1 : found;
  const [best, pick, game] = [points[chart.best], points[at], oldestFirst[at]];
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  if (best === undefined || pick === undefined || !game || !first || !last) return null;
  const firstDay = dayOf(first, now);
  const lastDay = dayOf(last, now);

  function choose(to: number) {
    setChosen(oldestFirst[to]?.id ?? null);
  }
  function drag({ buttons, clientX, currentTarget }: PointerEvent) {
    if (buttons === 0) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    choose(nearest((clientX - left) / width, count));
  }
  return (
    <>
      <div className={styles.read}>
        <span className={styles.score}>{game.score}</span>
        <span>{whenAndWhere(game, now)}</span>
      </div>
      <div
        className={styles.slider}
        role="slider"
        tabIndex={0}
        aria-label="Scores over time"
        aria-describedby={about}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at + 1}
        aria-valuetext={`${game.score}, ${whenAndWhere(game, now).replace('Today', 'today')}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
        onKeyDown={(event) => {
          const to = pointByKey(event.key, at, count);
          if (to === null) return;
          event.preventDefault();
          choose(to);
        }}
      >
        <svg
          className={styles.chart}
          viewBox={`0 0 ${CHART.width} ${CHART.height}`}
          aria-hidden="true"
        >
          <path className={styles.line} d={`M0 ${CHART.bottom}H${CHART.width}`} />
          <path className={styles.average} d={`M0 ${average.y}H${CHART.width}`} />
          <path className={styles.at} d={`M${pick.x} 6V${CHART.bottom}`} />
          <path className={styles.run} d={`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`} />
          {points.map(({ x, y }, index) => (
            <circle key={oldestFirst[index]?.id} className={styles.dot} cx={x} cy={y} r="2.6" />
          ))}
          <circle className={styles.best} cx={best.x} cy={best.y} r="8" />
          <circle className={styles.pick} cx={pick.x} cy={pick.y} r="7" />
          <text
            className={styles.label}
            x={average.label.x}
            y={average.label.y}
            textAnchor={average.label.anchor}
          >
            avg. {average.score}
          </text>
          <text
            className={`${styles.label} ${styles.number}`}
            x={label.x}
            y={label.y}
            textAnchor={label.anchor}
          >
            {oldestFirst[chart.best]?.score}
          </text>
          {firstDay !== lastDay && (
            <text x="0" y={CHART.dates}>
              {firstDay}
            </text>
          )}
          <text x={CHART.width} y={CHART.dates} textAnchor="end">
            {lastDay}
          </text>
        </svg>
      </div>
      <p id={about} className="sr">
        {sentence(oldestFirst, chart, now)}
      </p>
    </>
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
      {asTable ? <Table {...props} /> : <Drawing games={props.games} />}
    </Panel>
  );
}
