import type { ReactNode } from 'react';
import { AlertIcon, DoneIcon, NoSignalIcon } from './Icon.tsx';
import styles from './Notice.module.css';

/** What went wrong with a whole form, above its first field; read aloud at once. */
export function FormError({
  children,
  noSignal = false,
}: {
  children: ReactNode;
  /** The server could not be reached: the sign says so too. */
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
 * Something that went well; read aloud when there is a pause. Mount it before there is something
 * to say (null), because a live region that arrives together with its words is often not read.
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
