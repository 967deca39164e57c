import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import styles from './Leaderboard.module.css';

/** A little longer than the fade, which takes --t-base. */
const FADED_MS = 250;

type Shown = { id: string; content: ReactNode };

export function CrossFade({ id, children }: { id: string; children: ReactNode }) {
  const last = useRef<Shown>({ id, content: children });
  const [leaving, setLeaving] = useState<Shown | null>(null);
  useLayoutEffect(() => {
    if (last.current.id !== id) setLeaving(last.current);
    last.current = { id, content: children };
  }, [id, children]);
  // A timer, because a cancelled animation may emit no event, and reduced motion has no animation.
  useEffect(() => {
    if (leaving === null) return;
    const timer = setTimeout(() => setLeaving(null), FADED_MS);
    return () => clearTimeout(timer);
  }, [leaving]);
  return (
    <div className={styles.stack}>
      {/* Never render two children with the same key: React would not remove one of them. */}
      {leaving !== null && leaving.id !== id && (
        <div key={leaving.id} className={styles.leaving} aria-hidden="true">
          {leaving.content}
        </div>
      )}
      <div key={id} className={leaving === null ? undefined : styles.entering}>
        {children}
      </div>
    </div>
  );
}
