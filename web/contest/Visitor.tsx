import { useEffect, useRef } from 'react';
import { contestAddress } from '#contract/rules/addresses.ts';
import { inFull } from '#contract/rules/games.ts';
import type { ContestPage } from '#contract/wire/contests.ts';
import { Link } from '../router.tsx';
import { buttonClass } from '../ui/Button.tsx';
import { shortLeft } from '../ui/times.ts';
import styles from './Contest.module.css';
import { useServerNow } from './clock.ts';
import { beginText, rule } from './words.ts';

const OVER: Record<ContestPage['state'], string> = {
  planned: 'Soon at',
  running: 'On now at',
  settling: 'Last games are coming in at',
  final: 'Over at',
  cancelled: 'Not on at',
};

function facts(page: ContestPage, now: number): [name: string, value: string][] {
  const best = page.results[0]?.points;
  return [
    page.state === 'planned'
      ? ['begins', beginText(page.starts_at, new Date(now))]
      : ['left', shortLeft(Math.max(0, Date.parse(page.ends_at) - now))],
    ['play', String(page.players)],
    ...(best === undefined ? [] : [['to beat', inFull(best)] as [string, string]]),
  ];
}

/** Why nobody can play now, and when the contest is on again. */
function overText({ state, next_at }: ContestPage, now: number): string {
  const over = state === 'cancelled' ? 'It is not on: the contest was cancelled.' : 'It is over.';
  if (next_at === null) return over;
  return Date.parse(next_at) <= now
    ? `${over} It is on again now.`
    : `${over} ${beginText(next_at, new Date(now))} it is on again.`;
}

/** The card for a visitor without an account. It names nobody (CONTEST-12). */
export function Visitor({ page, skew, code }: { page: ContestPage; skew: number; code: string }) {
  const now = useServerNow(skew);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const back = { returnTo: contestAddress(code) };
  const isSettling = page.state === 'settling';
  const isCancelled = page.state === 'cancelled';
  const isOver = page.state === 'final' || isCancelled;
  return (
    <>
      <p className={styles.over}>
        {OVER[page.state]} {page.venue}
      </p>
      <h1 ref={heading} className={`display ${styles.night}`} tabIndex={-1}>
        {page.name}
      </h1>
      {isOver ? (
        <p className="lead">{overText(page, now)}</p>
      ) : isSettling ? (
        <p className="lead">It has ended: games from now on do not count.</p>
      ) : (
        <>
          <p className="lead">Everybody who plays is in: {rule(page).replace('Your', 'your')}</p>
          <dl className={styles.facts}>
            {facts(page, now).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <div className={styles.buttons}>
        <Link to="/signup" state={back} className={buttonClass('primary')}>
          Create account
        </Link>
        <Link to="/login" state={back} className={buttonClass('quiet')}>
          Sign in
        </Link>
      </div>
      {!isOver && !isSettling && (
        <p className={styles.note}>
          Pick a name and a jersey, hold your code up, play. It takes about a minute.{' '}
          <strong>Games from before that do not count.</strong>
        </p>
      )}
      {page.prizes !== null && !isCancelled && (
        <section className={styles.so} aria-label="Prizes">
          <h2 className="display">Prizes</h2>
          <p className={styles.prizes}>{page.prizes}</p>
        </section>
      )}
      {page.results.length > 0 && (
        <section className={styles.so} aria-label="Places so far">
          <h2 className="display">{isOver ? 'Places' : 'Places so far'}</h2>
          <ol>
            {page.results.map(({ place, points: own }) => (
              <li key={place}>
                <span>{place}</span>
                <b>{inFull(own)}</b>
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
