import type { Ref } from 'react';
import { Link } from '../router.tsx';
import { useGames } from '../session/reads.ts';
import { SignMark } from '../slip/SignMark.tsx';
import { lastGame, SIGNS } from '../slip/signs.ts';
import { Chevron } from '../ui/Chevron.tsx';
import { useDelayed } from '../ui/delayed.ts';
import { Marked } from '../ui/Marked.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './LastGame.module.css';

/** Keeps the row's place while the game loads. */
export function LineSkeleton({ shown = true }: { shown?: boolean }) {
  return (
    <div className={styles.line} aria-hidden="true">
      {shown && <Skeleton className={styles.bar} />}
    </div>
  );
}

/** The pass's last row: the newest game, and what it counted for (HAND-18). */
export function LastGame({ played, line }: { played: boolean; line: Ref<HTMLAnchorElement> }) {
  const games = useGames();
  const last = games.data?.pages[0]?.results[0];
  const waiting = useDelayed(games.isPending);
  if (last === undefined)
    return games.isPending && played ? <LineSkeleton shown={waiting} /> : null;
  return (
    <Link ref={line} to="/games" className={styles.line}>
      <SignMark sign={SIGNS[last.counts]} />
      <span>
        <Marked text={lastGame(last)} />
      </span>
      <Chevron />
    </Link>
  );
}
