import styles from './Duel.module.css';

/** Red for a win, a ring for the rest. */
export function Ball({ won }: { won: boolean }) {
  return (
    <span className={styles.badge}>
      <span className={won ? styles.ball : styles.hollow} />
    </span>
  );
}
