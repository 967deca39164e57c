import styles from './Square.module.css';
import type { Sign } from './signs.ts';

type SquareProps = {
  score: number;
  sign: Sign;
  /**
   * How far the score is above the former best, shown in a larger ball; null if it is not above.
   */
  over: number | null;
  small?: boolean;
};

/** The painted square with the score inside; the ball says whether it counted (HAND-11). */
export function Square({ score, sign, over, small = false }: SquareProps) {
  const look = [
    styles.square,
    small && styles.small,
    over !== null && styles.best,
    (sign === 'ring' || sign === 'dash' || sign === 'clock') && styles.quiet,
    score > 999 && styles.four,
  ];
  return (
    <div className={look.filter(Boolean).join(' ')}>
      <svg viewBox={small ? '0 0 136 92' : '0 0 226 136'} aria-hidden="true">
        <path
          d={
            small
              ? 'M131 50V19A14 14 0 0 0 117 5H19A14 14 0 0 0 5 19V73a14 14 0 0 0 14 14H94'
              : 'M219 78V29A22 22 0 0 0 197 7H29A22 22 0 0 0 7 29V107A22 22 0 0 0 29 129H168'
          }
        />
        {over === null && (
          <circle cx={small ? 120 : 206} cy={small ? 77 : 116} r={small ? 15 : 23} />
        )}
      </svg>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {score}
      </span>
      {over !== null && (
        <span className={styles.grown}>
          <b>+{over}</b>
          <span className={small ? 'sr' : undefined}>
            over your
            <br />
            best
          </span>
        </span>
      )}
    </div>
  );
}
