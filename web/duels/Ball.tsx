import styles from './Duel.module.css';

/** A red ball for a win, otherwise a ring. */
export function Ball({ won }: { won: boolean }) {
  return (
    <span className={styles.badge}>
      <span className={won ? styles.ball : styles.hollow} />
    </span>
  );
}
