import type { ReactNode } from 'react';
import { AlertIcon, NoSignalIcon } from './Icon.tsx';
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
