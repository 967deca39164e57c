import { useChange } from '../ui/change.ts';
import styles from './Figure.module.css';

/** The characters of two figures, place by place from the right; null where one has none. */
export function places(from: string, to: string) {
  const count = Math.max(from.length, to.length);
  return Array.from({ length: count }, (_, at) => {
    const place = at - count;
    return { place, from: from.at(place) ?? null, to: to.at(place) ?? null };
  });
}

/** A figure whose changed digits flip when it changes, and that is plain text otherwise (look 7). */
export function Figure({ value }: { value: number }) {
  const [flip, settle] = useChange(String(value));
  if (flip.from === null) return flip.to;
  return (
    <>
      <span
        className={styles.figure}
        aria-hidden="true"
        onAnimationEnd={({ animationName }) => {
          if (animationName === styles['flip-in']) settle();
        }}
      >
        {places(flip.from, flip.to).map(({ place, from, to }) => (
          <span key={place} className={styles.place}>
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
