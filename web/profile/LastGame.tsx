import type { Ref } from 'react';
import { Link } from '../router.tsx';
import { SignMark } from '../slip/SignMark.tsx';
import { useSlip } from '../slip/SlipProvider.tsx';
import { lastGame, SIGNS } from '../slip/words.ts';
import { Marked } from '../ui/Marked.tsx';
import styles from './LastGame.module.css';

/** The pass's last row: the newest game, and what it counted for (HAND-18). */
export function LastGame({ line }: { line: Ref<HTMLAnchorElement> }) {
  const { last } = useSlip();
  if (last === undefined) return null;
  return (
    <Link ref={line} to="/games" className={styles.line}>
      <SignMark sign={SIGNS[last.counts]} />
      <span>
        <Marked text={lastGame(last)} />
      </span>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="m9 5 7 7-7 7" />
      </svg>
    </Link>
  );
}
