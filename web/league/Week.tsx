import { useEffect, useState } from 'react';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { openWeek } from '../session/seen.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { ShowMyCode } from '../shell/ToProfile.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { FormError } from '../ui/Notice.tsx';
import { Empty, PanelPage } from '../ui/Panel.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { CARD } from './card.ts';
import { useWeekPicture, type WeekPicture } from './queries.ts';
import { inWords } from './result.ts';
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

function canShare(file: File): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] });
}

function Picture({ week, picture: { file, src } }: { week: ClosedWeek; picture: WeekPicture }) {
  const [failed, setFailed] = useState(false);
  useEffect(() => openWeek(week.from), [week.from]);
  const shareable = canShare(file);

  async function share() {
    setFailed(false);
    try {
      await navigator.share({ files: [file] });
    } catch (error) {
      // AbortError: the player closed the share sheet.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailed(true);
    }
  }

  return (
    <div className={styles.picture}>
      <img src={src} {...CARD} alt={inWords(week)} />
      {failed && <FormError>The picture could not be shared. Save it, then share it.</FormError>}
      {shareable && <Button onClick={() => void share()}>Share</Button>}
      <a className={buttonClass(shareable ? 'quiet' : 'primary')} href={src} download={file.name}>
        Save picture
      </a>
    </div>
  );
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
        {(data) => <Picture {...data} />}
      </Loaded>
    </PanelPage>
  );
}
