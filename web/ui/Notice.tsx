import type { ReactNode } from 'react';
import { AlertIcon, DoneIcon, NoSignalIcon } from './Icon.tsx';
import styles from './Notice.module.css';

/** What went wrong with a form as a whole; announced immediately (LOOK-18). */
export function FormError({
  children,
  noSignal = false,
}: {
  children: ReactNode;
  noSignal?: boolean;
}) {
  return (
    <div className={`${styles.notice} ${styles.bad}`} role="alert">
      {noSignal ? <NoSignalIcon /> : <AlertIcon />}
      <p>{children}</p>
    </div>
  );
}

/**
 * Something that went well; announced politely. Mount it empty (null) first: a live region that is
 * inserted together with its words is often not announced.
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
