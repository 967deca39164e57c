import { abbreviate } from '#contract/rules/games.ts';
import styles from './Total.module.css';

/** A whole number ≥ 0, abbreviated on a phone, in full in a wide window (LOOK-67). */
export function Total({ of }: { of: number }) {
  const short = abbreviate(of);
  if (short === String(of)) return <span>{short}</span>;
  return (
    <>
      <span className={styles.short}>{short}</span>
      <span className={styles.full}>{of}</span>
    </>
  );
}
