import { useLayoutEffect, useState } from 'react';
import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';
import { newAchievements, seeAchievements } from '../session/seen.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Badge } from '../ui/Badge.tsx';
import { dayAndMonth } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Panel } from '../ui/Panel.tsx';
import { PanelPage } from '../ui/PanelPage.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { isSameDay } from '../ui/times.ts';
import styles from './Achievements.module.css';
import { useAchievements } from './queries.ts';
import { sortAchievements, type WonAchievement } from './sort.ts';

const TILES = [1, 2, 3, 4, 5, 6];
const ROWS = [1, 2, 3, 4];

function AchievementsSkeleton() {
  return (
    <div aria-hidden="true">
      <Panel title="Won">
        <ul className={styles.won}>
          {TILES.map((tile) => (
            <li key={tile}>
              <Skeleton width="84px" height="84px" radius="24px" />
              <Skeleton width="100%" height="1.125rem" />
              <Skeleton width="3rem" height="1rem" />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Still to win">
        <ul className={styles.open}>
          {ROWS.map((row) => (
            <li key={row}>
              <Skeleton width="56px" height="56px" radius="18px" />
              <Skeleton height="3.5rem" />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function dayWon(at: string): string {
  const [day, now] = [new Date(at), serverDate()];
  return isSameDay(day, now) ? 'Today' : dayAndMonth(day, now);
}

function Won({ won, news }: { won: readonly WonAchievement[]; news: readonly string[] }) {
  return (
    <Panel title="Won">
      <ul className={styles.won}>
        {won.map(({ key, name, icon, rank, unlocked_at }) => (
          <li key={key}>
            <Badge icon={icon} look="won" rank={rank} />
            <b>{name}</b>
            <small>{dayWon(unlocked_at)}</small>
            {news.includes(key) && <span className={styles.new}>New</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Open({ title, open }: { title: string; open: readonly Achievement[] }) {
  return (
    <Panel title={title}>
      <ul className={styles.open}>
        {open.map(({ key, name, description, icon, progress }) => (
          <li key={key}>
            <Badge icon={icon} look="open" />
            <div>
              <p className={styles.name}>
                <b>{name}</b>
                {progress && <span>{`${progress.have} of ${progress.need}`}</span>}
              </p>
              <p className={styles.description}>{description}</p>
              {progress && (
                <div
                  className={styles.meter}
                  role="progressbar"
                  aria-label={name}
                  aria-valuemin={0}
                  aria-valuenow={progress.have}
                  aria-valuemax={progress.need}
                  aria-valuetext={`${progress.have} of ${progress.need}`}
                >
                  <div style={{ width: `${(100 * progress.have) / progress.need}%` }} />
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The achievements that are new on this visit. Marks all of `won` as seen. */
function useNews(won: readonly UserAchievement[] | undefined): readonly string[] {
  const [news, setNews] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    if (won === undefined) return;
    const keys = won.map(({ key }) => key);
    const fresh = newAchievements(keys);
    seeAchievements(keys);
    setNews((before) => [...before, ...fresh]);
  }, [won]);
  return news;
}

function summary(won: number, open: number): string {
  return open === 0 ? `All ${won} won` : `${won} won, ${open} still to win`;
}

/** The page of achievements: next up, won, still to win (PROD-53, HAND-94). */
export function Achievements() {
  const query = useAchievements();
  const waiting = useDelayed(query.isPending);
  const news = useNews(query.data?.won);
  const lists = query.data && sortAchievements(query.data.all, query.data.won);
  return (
    <PanelPage
      title="Achievements"
      lead={lists && !waiting && summary(lists.won.length, lists.next.length + lists.open.length)}
      aria-busy={query.isPending}
    >
      <Loaded
        query={query}
        data={lists}
        waiting={waiting}
        skeleton={<AchievementsSkeleton />}
        safe="What you have won is safe. It will be here when you have a signal again."
      >
        {({ next, won, open }) => (
          <>
            {next.length > 0 && <Open title="Next up" open={next} />}
            {won.length > 0 && <Won won={won} news={news} />}
            {open.length > 0 && <Open title="Still to win" open={open} />}
          </>
        )}
      </Loaded>
    </PanelPage>
  );
}
