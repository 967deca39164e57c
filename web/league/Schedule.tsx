import { useEffect, useRef, useState } from 'react';
import type { LeagueSeason } from '#contract/wire/leagues.ts';
import { Button } from '../ui/Button.tsx';
import { dayRange } from '../ui/dates.ts';
import { Panel } from '../ui/Panel.tsx';
import styles from './League.module.css';
import { Matchups } from './Matchups.tsx';
import { postponedWords, weekCount, weeksAround } from './season.ts';

type ScheduleProps = {
  season: Pick<LeagueSeason, 'schedule' | 'week'>;
  team: string;
  /** Whether the running week is postponed. */
  isPostponed?: boolean;
  /** The Monday of the week to show (HAND-17). */
  asked?: string | null;
};

/**
 * The previous and the next week. A button shows all weeks and focuses the first heading. With
 * `asked`, all weeks are shown at once, and the heading of that week has the focus.
 */
export function Schedule({ season: { schedule, week }, team, isPostponed, asked }: ScheduleProps) {
  const found = schedule.findIndex(({ from }) => from === asked);
  const [all, setAll] = useState(found !== -1);
  const first = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!all) return;
    // After the page, whose heading takes the focus.
    const timer = setTimeout(() => first.current?.focus());
    return () => clearTimeout(timer);
  }, [all]);
  const around = weeksAround(schedule, week, isPostponed);
  const hasMore = schedule.some((one) => one.week !== week && !around.includes(one));
  return (
    <Panel title="Schedule">
      {around.length === 0 && (
        <p className={styles.quiet}>
          {schedule.length === 0
            ? 'No matchups are scheduled yet.'
            : 'No other week is scheduled yet.'}
        </p>
      )}
      <div className={styles.weeks}>
        {(all ? schedule : around).map((one, at) => (
          <div key={one.from}>
            <div className={styles.week}>
              <h3
                ref={at === Math.max(found, 0) ? first : undefined}
                className="display"
                tabIndex={-1}
              >
                {one.postponed === undefined ? `Week ${one.week}` : dayRange(one.from, one.to)}
              </h3>
              {one.postponed === undefined && <span>{dayRange(one.from, one.to)}</span>}
            </div>
            {one.postponed !== undefined && <p className={styles.quiet}>{postponedWords(one)}</p>}
            <Matchups week={one} team={team} over={one.week < week} />
          </div>
        ))}
      </div>
      {hasMore && (
        <div className={styles.more}>
          <Button look="quiet" onClick={() => setAll(!all)}>
            {all ? 'Fewer weeks' : `All ${weekCount(schedule)} weeks`}
          </Button>
        </div>
      )}
    </Panel>
  );
}
