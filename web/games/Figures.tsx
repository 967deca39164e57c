import type { CSSProperties } from 'react';
import { FIGURES_GAMES } from '#contract/rules/games.ts';
import type { Figures as FiguresAnswer } from '#contract/wire/games.ts';
import { dayAndLongMonth } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import { barOf } from './bars.ts';
import { percentOf } from './counted.ts';
import styles from './Figures.module.css';

const number = (n: number) => n.toLocaleString('en');

function overAverage(over: number): string {
  if (over === 0) return 'on your average';
  return over > 0 ? `${over} over your average` : `${-over} under your average`;
}

function weekSaid({ from, games, average }: FiguresAnswer['weeks'][number]): string {
  const week = dayAndLongMonth(from);
  if (average === null) return `Week of ${week}, no games`;
  return games === 1
    ? `Week of ${week}, average ${average}, 1 game`
    : `Week of ${week}, average ${average}, ${games} games`;
}

function Weeks({ weeks }: Pick<FiguresAnswer, 'weeks'>) {
  const averages = weeks.flatMap(({ average }) => average ?? []);
  return (
    <>
      <div className={styles.head}>
        <h3>Average by week</h3>
        <span>{weeks.length} weeks</span>
      </div>
      <ol className={styles.weeks}>
        {weeks.map((week, at) => (
          <li
            key={week.from}
            className={at === weeks.length - 1 ? styles.now : undefined}
            style={{ '--part': barOf(week.average, averages) } as CSSProperties}
          >
            <span className="sr">{weekSaid(week)}</span>
            <span aria-hidden="true">{week.average ?? '–'}</span>
            <i className={week.average === null ? styles.none : undefined} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The player's basketball figures (HAND-80 to HAND-84); nothing if all are hidden. */
export function Figures({ shooting, last_five, weeks, machines }: FiguresAnswer) {
  if (shooting === null && last_five === null && weeks.length === 0 && machines.length === 0)
    return null;
  return (
    <Panel title="Figures">
      {(shooting ?? last_five) && (
        <dl className={styles.figures}>
          {shooting && (
            <div>
              <dt>
                <b>Shooting</b>
                <span>
                  {number(shooting.made)} of {number(shooting.tried)} shots
                </span>
              </dt>
              <dd>
                {percentOf(shooting)}
                <small> %</small>
              </dd>
            </div>
          )}
          {last_five && (
            <div>
              <dt>
                <b>Last five</b>
                <span>{overAverage(last_five.over)}</span>
              </dt>
              <dd>{last_five.average}</dd>
            </div>
          )}
        </dl>
      )}
      {weeks.length > 0 && <Weeks weeks={weeks} />}
      {machines.length > 0 && (
        <>
          <div className={styles.head}>
            <h3>Best by machine</h3>
            <span>Last {FIGURES_GAMES} games</span>
          </div>
          <ul className={styles.machines}>
            {machines.map(({ machine, venue, best }) => (
              <li key={`${machine} ${venue}`}>
                <span>
                  {machine} <small>{venue}</small>
                </span>
                <b>{best}</b>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
