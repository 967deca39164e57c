import type { ReactNode } from 'react';
import styles from './Board.module.css';

const NET =
  'M20 22L34.8 44M41.6 22L54.4 44M41.6 22L34.8 44M63.2 22L74 44M63.2 22L54.4 44M84.8 22L93.6 44M84.8 22L74 44M106.4 22L113.2 44M106.4 22L93.6 44M128 22L113.2 44M34.8 44L32.5 65M54.4 44L49.1 65M34.8 44L49.1 65M74 44L65.7 65M54.4 44L65.7 65M93.6 44L82.3 65M74 44L82.3 65M113.2 44L98.9 65M93.6 44L98.9 65M113.2 44L115.5 65M32.5 65L42 86M49.1 65L58 86M49.1 65L42 86M65.7 65L74 86M65.7 65L58 86M82.3 65L90 86M82.3 65L74 86M98.9 65L106 86M98.9 65L90 86M115.5 65L106 86M42 86L42 107M58 86L54.8 107M42 86L54.8 107M74 86L67.6 107M58 86L67.6 107M90 86L80.4 107M74 86L80.4 107M106 86L93.2 107M90 86L93.2 107M106 86L106 107';

/**
 * The rim and its net, which swishes each time `swishes` grows. With `transform`, this is an SVG
 * group of 148 by 112 units for another drawing.
 */
export function Rim({ swishes = 0, transform }: { swishes?: number; transform?: string }) {
  const drawing = (
    <>
      <path
        key={swishes}
        className={`${styles.net} ${swishes > 0 ? styles.swish : ''}`}
        d={NET}
        fill="none"
        stroke="var(--net)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path d="M52 0h44v10a3 3 0 0 1-3 3H55a3 3 0 0 1-3-3Z" fill="var(--navy)" />
      <rect x="12" y="13" width="124" height="11" rx="5.5" fill="var(--red)" />
    </>
  );
  if (transform !== undefined) return <g transform={transform}>{drawing}</g>;
  return (
    <svg className={styles.rim} viewBox="0 0 148 112" aria-hidden="true">
      {drawing}
    </svg>
  );
}

/** A card drawn as a backboard, with the rim below. */
export function Board({ swishes = 0, children }: { swishes?: number; children: ReactNode }) {
  return (
    <>
      <div className={styles.board}>{children}</div>
      <Rim swishes={swishes} />
    </>
  );
}

const QUARTERS = [1, 2, 3, 4] as const;
export type Quarter = (typeof QUARTERS)[number];

/** Progress of sign-up: finished quarters are navy, the current one red. */
export function Quarters({ now }: { now: Quarter }) {
  return (
    <div className={styles.quarters} role="img" aria-label={`Step ${now} of ${QUARTERS.length}`}>
      {QUARTERS.map((quarter) => (
        <i
          key={quarter}
          className={quarter < now ? styles.done : quarter === now ? styles.now : undefined}
        />
      ))}
    </div>
  );
}
