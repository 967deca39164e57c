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
};

/** The previous and the next week. A button shows all weeks and focuses the first heading. */
export function Schedule({ season: { schedule, week }, team, isPostponed }: ScheduleProps) {
  const [all, setAll] = useState(false);
  const first = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (all) first.current?.focus();
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
              <h3 ref={at === 0 ? first : undefined} className="display" tabIndex={-1}>
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
