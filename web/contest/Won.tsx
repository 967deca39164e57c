import { type CSSProperties, useEffect, useRef } from 'react';
import { inFull, ordinal } from '#contract/rules/games.ts';
import { avatarColor, DEFAULT_AVATAR_COLOR } from '#contract/rules/jersey.ts';
import type { ContestPage } from '#contract/wire/contests.ts';
import { Jersey } from '../avatar/Jersey.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { titled } from '../ui/brand.ts';
import { Column } from '../ui/Page.tsx';
import { clockTime } from '../ui/times.ts';
import styles from './Contest.module.css';
import { Prizes } from './parts.tsx';

const two = (value: number) => String(value).padStart(2, '0');

/**
 * The page that a winner shows at the bar (CONTEST-11). The server's clock runs on the page, but
 * stands still in a screenshot. `asOf`: when the connection was lost.
 */
export function Won({
  page,
  place,
  now,
  asOf,
  onBack,
}: {
  page: ContestPage;
  place: number;
  now: number;
  asOf: number | null;
  onBack: () => void;
}) {
  const { user } = useAuth();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const at = new Date(asOf ?? now);
  const time = `${clockTime(at)}:${two(at.getSeconds())}`;
  return (
    <Column
      className={styles.won}
      style={
        {
          '--player': avatarColor(user?.avatar_color ?? '') ?? DEFAULT_AVATAR_COLOR,
        } as CSSProperties
      }
    >
      <div className={styles.rays} aria-hidden="true" />
      <title>{titled('You won')}</title>
      <div className={styles.bar}>
        <button type="button" className={styles.back} onClick={onBack} aria-label="To the board">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M19 12H5m6-6-6 6 6 6" />
          </svg>
        </button>
        <b>{page.name}</b>
        <time className={styles.clock} dateTime={at.toISOString()}>
          {asOf === null ? time : `as of ${time}`}
        </time>
      </div>
      {user !== null && (
        <span className={styles.shirt} aria-hidden="true">
          <Jersey username={user.username} color={user.avatar_color} number={user.jersey_number} />
        </span>
      )}
      <h1 ref={heading} className="display" tabIndex={-1}>
        {place === 1 ? 'You won' : `You came ${ordinal(place)}`}
      </h1>
      <p className={styles.frame}>
        <b>{inFull(page.mine?.points ?? 0)}</b>
        <span>{ordinal(place)}</span>
      </p>
      <p className={styles.show}>
        <b>Show this at the bar.</b>
        The clock runs: a picture of it does not count.
      </p>
      <Prizes page={page} />
    </Column>
  );
}
