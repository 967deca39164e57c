import type { ComponentProps, ReactNode } from 'react';
import styles from './Page.module.css';

/** The full-height page (PROD-04). `court` draws the court at its foot. */
export function Page({ court = true, children }: { court?: boolean; children: ReactNode }) {
  return (
    <div className={styles.page}>
      {court && (
        <svg
          className={styles.court}
          viewBox="0 0 1280 520"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
        >
          <path className={styles.arc} d="M130 520V420a510 510 0 0 1 1020 0v100" />
          <path d="M520 520V230h240v290" />
          <circle cx="640" cy="230" r="120" />
        </svg>
      )}
      {children}
    </div>
  );
}

export function Column({ className = '', ...main }: ComponentProps<'main'>) {
  return <main id="main" {...main} className={`${styles.column} ${className}`} />;
}

/** Logo and name; `height` in px: 40 on the authentication page, 34 in a header. */
export function Wordmark({ height }: { height: number }) {
  return (
    <svg
      className={styles.wordmark}
      role="img"
      aria-label="Backboard"
      viewBox="0 0 297 61"
      height={height}
      width={Math.round((height * 297) / 61)}
    >
      <use href="#wordmark" />
    </svg>
  );
}
