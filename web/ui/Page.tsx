import type { ComponentProps, ReactNode } from 'react';
import styles from './Page.module.css';
import wordmark from './wordmark.svg?inline';

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

/** Logo and name; `height` in px: 40 on the authentication screen, 34 in a header. */
export function Wordmark({ height }: { height: number }) {
  return (
    <img
      className={styles.wordmark}
      src={wordmark}
      alt="Backboard"
      height={height}
      width={Math.round((height * 297) / 61)}
    />
  );
}
