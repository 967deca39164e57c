import { useEffect } from 'react';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { openWeek } from '../session/seen.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Empty, PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { type Picture, useWeekPicture } from './queries.ts';
import { inWords } from './result.ts';
import { SharePicture } from './SharePicture.tsx';
import styles from './Week.module.css';

function WeekSkeleton() {
  return (
    <div aria-hidden="true" className={styles.waiting}>
      <div className={styles.frame}>
        <Skeleton height="100%" radius="var(--r-lg)" />
      </div>
      <Skeleton height="var(--control)" radius="var(--r-md)" />
    </div>
  );
}

function WeekPicture({ week, picture }: { week: ClosedWeek; picture: Picture }) {
  useEffect(() => openWeek(week.from), [week.from]);
  return <SharePicture picture={picture} alt={inWords(week)} />;
}

/** The page “Week in one picture” (PROD-57). */
export function Week() {
  const query = useWeekPicture();
  const waiting = useDelayed(query.isPending);
  return (
    <PanelPage
      title="Week in one picture"
      lead="Names only: no email, no code, no photo."
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={query.data}
        waiting={waiting}
        skeleton={<WeekSkeleton />}
        empty={
          <Empty
            title="No picture yet"
            text="It is here when a week in which your team had an opponent has closed."
          >
            <ShowMyCode className={buttonClass('primary')} />
          </Empty>
        }
        safe="Your games are safe. The picture will be here when you have a signal again."
      >
        {({ week, picture }) => <WeekPicture week={week} picture={picture} />}
      </Loaded>
    </PanelPage>
  );
}
