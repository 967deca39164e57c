import { useChange } from './change.ts';
import styles from './Figure.module.css';

/** The characters of two figures in pairs, aligned at the right, with null where one is shorter. */
export function digitsOf(from: string, to: string) {
  const count = Math.max(from.length, to.length);
  return Array.from({ length: count }, (_, at) => {
    const position = at - count;
    return { position, from: from.at(position) ?? null, to: to.at(position) ?? null };
  });
}

/** A figure as text. Its changed digits flip (LOOK-33). */
export function Figure({ value }: { value: number | string }) {
  const [flip, settle] = useChange(String(value));
  if (flip.from === null) return <span>{flip.to}</span>;
  return (
    <>
      <span
        className={styles.figure}
        aria-hidden="true"
        onAnimationEnd={({ animationName }) => {
          if (animationName === styles['flip-in']) settle();
        }}
      >
        {digitsOf(flip.from, flip.to).map(({ position, from, to }) => (
          <span key={position} className={styles.place}>
            {from !== to && <span className={styles.out}>{from}</span>}
            <span key={to} className={from === to ? undefined : styles.in}>
              {to}
            </span>
          </span>
        ))}
      </span>
      <span className="sr">{flip.to}</span>
    </>
  );
}
