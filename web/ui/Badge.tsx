import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/**
 * Symbols on a 48 x 48 grid. Shapes use the text colour, numerals the colour of the tile behind
 * them (`--plate`), and the ball uses `--ball`.
 */
const SYMBOLS: Record<string, ReactNode> = {
  'first-game': (
    <>
      <path
        fill="currentColor"
        d="M42.8 19.2V9.8A6.8 6.8 0 0 0 36 3H9.8A6.8 6.8 0 0 0 3 9.8V36a6.8 6.8 0 0 0 6.8 6.8h9.4A15.8 15.8 0 0 1 20.5 33.8H12.8a.8.8 0 0 1-.8-.8V12.8a.8.8 0 0 1 .8-.8H33a.8.8 0 0 1 .8.8v7.7A15.8 15.8 0 0 1 42.8 19.2Z"
      />
      <circle cx="34.5" cy="34.5" r="11" fill="var(--ball)" />
    </>
  ),
  'games-10': (
    <>
      <path
        fill="currentColor"
        d="M45 27.3V10a5 5 0 0 0-5-5H6a5 5 0 0 0-5 5v22a5 5 0 0 0 5 5h24.5A10.5 10.5 0 0 1 45 27.3Z"
      />
      <g
        fill="none"
        stroke="var(--plate)"
        strokeWidth="15"
        transform="translate(8.15 11.68) scale(0.26)"
      >
        <path d="M13 13.5 23 6V58M13.5 58H32.5" />
        <path transform="translate(53 0)" d="M6 15 15 6H27L36 15V49L27 58H15L6 49Z" />
      </g>
      <circle cx="41" cy="37" r="7" fill="var(--ball)" />
    </>
  ),
  'games-50': (
    <>
      <path
        fill="currentColor"
        d="M45 27.3V10a5 5 0 0 0-5-5H6a5 5 0 0 0-5 5v22a5 5 0 0 0 5 5h24.5A10.5 10.5 0 0 1 45 27.3Z"
      />
      <g
        fill="none"
        stroke="var(--plate)"
        strokeWidth="15"
        transform="translate(8.15 11.68) scale(0.26)"
      >
        <path d="M31 6H8V28H27L36 37V49L27 58H15L6 49V47" />
        <path transform="translate(53 0)" d="M6 15 15 6H27L36 15V49L27 58H15L6 49Z" />
      </g>
      <circle cx="41" cy="37" r="7" fill="var(--ball)" />
    </>
  ),
  'games-100': (
    <>
      <path
        fill="currentColor"
        d="M45 27.3V10a5 5 0 0 0-5-5H6a5 5 0 0 0-5 5v22a5 5 0 0 0 5 5h24.5A10.5 10.5 0 0 1 45 27.3Z"
      />
      <g
        fill="none"
        stroke="var(--plate)"
        strokeWidth="16"
        transform="translate(5.70 13.60) scale(0.2)"
      >
        <path d="M13 13.5 23 6V58M13.5 58H32.5" />
        <path transform="translate(53 0)" d="M6 15 15 6H27L36 15V49L27 58H15L6 49Z" />
        <path transform="translate(106 0)" d="M6 15 15 6H27L36 15V49L27 58H15L6 49Z" />
      </g>
      <circle cx="41" cy="37" r="7" fill="var(--ball)" />
    </>
  ),
  'personal-best': (
    <>
      <path
        stroke="currentColor"
        strokeWidth="5"
        fill="none"
        strokeLinejoin="round"
        d="M6.5 20V39A2.5 2.5 0 0 0 9 41.5H39A2.5 2.5 0 0 0 41.5 39V20M24 41V26M16 31.5 24 23.5 32 31.5"
      />
      <circle cx="24" cy="10" r="7.5" fill="var(--ball)" />
    </>
  ),
  'five-days': (
    <>
      <path
        stroke="currentColor"
        strokeWidth="5"
        fill="none"
        strokeLinejoin="round"
        strokeLinecap="round"
        d="M8 9V39M18 9V39M28 9V39M38 9V25M4 30 34 19"
      />
      <circle
        cx="38"
        cy="37"
        r="7.5"
        fill="var(--ball)"
        stroke="var(--plate)"
        strokeWidth="5"
        paintOrder="stroke"
      />
    </>
  ),
  'first-league-game': (
    <>
      <path
        stroke="currentColor"
        strokeWidth="5"
        fill="none"
        strokeLinejoin="round"
        strokeLinecap="round"
        d="M9 44V5"
      />
      <path
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinejoin="round"
        d="M9 6 42 16 9 27Z"
      />
      <circle cx="33" cy="37" r="7.5" fill="var(--ball)" />
    </>
  ),
  'all-eight': (
    <>
      <rect x="2" y="12" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="13.5" y="12" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="25" y="12" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="36.5" y="12" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="2" y="25" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="13.5" y="25" width="9" height="9" rx="2.2" fill="currentColor" />
      <rect x="25" y="25" width="9" height="9" rx="2.2" fill="currentColor" />
      <circle cx="41.5" cy="30.5" r="6.5" fill="var(--ball)" />
    </>
  ),
  'four-counted': (
    <>
      <rect x="4" y="4" width="18" height="18" rx="4.5" fill="currentColor" />
      <rect x="26" y="4" width="18" height="18" rx="4.5" fill="currentColor" />
      <rect x="4" y="26" width="18" height="18" rx="4.5" fill="currentColor" />
      <circle cx="35" cy="35" r="9.5" fill="var(--ball)" />
    </>
  ),
  'team-win': (
    <>
      <path
        stroke="currentColor"
        strokeWidth="5"
        fill="none"
        strokeLinejoin="round"
        d="M12.5 19.5V24a11.5 11.5 0 0 0 23 0V19.5ZM12.5 21H9A4.5 4.5 0 0 0 4.5 25.5C4.5 29 8 31 14 31M35.5 21H39A4.5 4.5 0 0 1 43.5 25.5C43.5 29 40 31 34 31M24 35V42M14 43H34"
      />
      <circle cx="24" cy="9" r="7.5" fill="var(--ball)" />
    </>
  ),
  'best-of-team': (
    <>
      <g transform="translate(1 -1.2) scale(.23)">
        <path
          fill="currentColor"
          d="M60 10 82 6C85 27 115 27 118 6L140 10C140 42 150 66 178 77C175 92 174 108 174 126V208C174 212 171 214 167 214H33C29 214 26 212 26 208V126C26 108 25 92 22 77C50 66 60 42 60 10Z"
        />
      </g>
      <circle
        cx="24"
        cy="29"
        r="7.5"
        fill="var(--ball)"
        stroke="var(--plate)"
        strokeWidth="5"
        paintOrder="stroke"
      />
    </>
  ),
  'three-better': (
    <>
      <path
        fill="currentColor"
        d="M3 34h11v10H5a2 2 0 0 1-2-2ZM16.5 26h11v18h-11ZM30 18h11v26H30Z"
      />
      <circle cx="35.5" cy="8.5" r="6.5" fill="var(--ball)" />
    </>
  ),
};

type BadgeProps = {
  /** The symbol's name, from the server. A symbol unknown to this build leaves the tile empty. */
  icon: string;
  /**
   * `row`: in a strip. `slip`: in a row of the slip. `won`: already won. `open`: not won yet, so
   * without colour.
   */
  look?: 'row' | 'won' | 'open' | 'slip';
  /** The badge of a won achievement tells its rank by its shape (HAND-95). */
  rank?: 1 | 2 | 3 | undefined;
};

/** An achievement's tile. It is decorative, because its name is beside it. */
export function Badge({ icon, look = 'row', rank = 1 }: BadgeProps) {
  const shape = rank === 3 ? styles.third : rank === 2 ? styles.second : '';
  return (
    <span className={`${styles.badge} ${styles[look]} ${shape}`}>
      <svg viewBox="0 0 48 48" aria-hidden="true">
        {SYMBOLS[icon]}
      </svg>
    </span>
  );
}
