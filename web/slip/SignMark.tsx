import styles from './SignMark.module.css';
import type { Sign } from './signs.ts';

/** The sign of what a game counted for. The words beside it say the same. */
export function SignMark({ sign }: { sign: Sign }) {
  if (sign === 'clock')
    return (
      <svg className={styles.clock} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="8" />
        <path d="M12 7.5V12l3 2" />
      </svg>
    );
  return <i className={`${styles.sign} ${styles[sign]}`} aria-hidden="true" />;
}
