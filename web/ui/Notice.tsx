import type { ReactNode } from 'react';
import { AlertIcon, DoneIcon, NoSignalIcon } from './Icon.tsx';
import styles from './Notice.module.css';

/** The error of a whole form, announced immediately (LOOK-18). */
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
