import type { ReactNode } from 'react';
import styles from './Notice.module.css';

function DoneIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" fill="currentColor" />
      <path
        d="m6 10.3 2.7 2.7L14 7.6"
        fill="none"
        stroke="var(--on-navy)"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/**
 * A success message, announced politely. Mount it empty (null) first: screen readers often miss a
 * live region inserted with its words.
 */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className={styles.live} role="status">
      {children && (
        <div className={`${styles.notice} ${styles.good}`}>
          <DoneIcon />
          <p>{children}</p>
        </div>
      )}
    </div>
  );
}
