import { type ReactNode, useState } from 'react';
import styles from './Leaderboard.module.css';

type Shown = { id: string; content: ReactNode };

/** Shows `children`; when `id` changes, what was there fades out over what fades in. */
export function CrossFade({ id, children }: { id: string; children: ReactNode }) {
  const [last, setLast] = useState<Shown>({ id, content: children });
  const [leaving, setLeaving] = useState<Shown | null>(null);
  if (last.id !== id) setLeaving(last);
  if (last.id !== id || last.content !== children) setLast({ id, content: children });
  return (
    <div className={styles.stack}>
      {leaving !== null && (
        <div
          key={leaving.id}
          className={styles.leaving}
          aria-hidden="true"
          onAnimationEnd={() => setLeaving(null)}
        >
          {leaving.content}
        </div>
      )}
      <div key={id} className={leaving === null ? undefined : styles.entering}>
        {children}
      </div>
    </div>
  );
}
