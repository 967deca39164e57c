import { useId } from 'react';
import type { Duel } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { useOpenDuel } from '../session/own-lists.ts';
import { Button } from '../ui/Button.tsx';
import { dayAndMonth } from '../ui/dates.ts';
import panel from '../ui/Panel.module.css';
import { serverDate } from '../ui/server-clock.ts';
import styles from './Duel.module.css';
import { OfferDuel } from './OfferDuel.tsx';
import { Versus } from './Versus.tsx';
import { playedText, resultWords, rivalName, scoresOf } from './words.ts';

/**
 * The player's best game. A winner reads where it was played; a loser reads of how many games it
 * was the best.
 */
function OwnBest({ duel }: { duel: Duel }) {
  const { best, result } = duel;
  if (result === 'level')
    return (
      <p className={`${styles.say} ${styles.own}`}>
        <b>{best?.score} each.</b> <span>A level duel stays level.</span>
      </p>
    );
  if (best === null) return <p className={styles.say}>You had no game in these days.</p>;
  return (
    <p className={`${styles.say} ${styles.own}`}>
      <b>Your {best.score}</b>{' '}
      <span>
        {result === 'won'
          ? `on ${best.machine}, ${playedText(new Date(best.played_at))}.`
          : best.games === 1
            ? 'was your only game.'
            : `was your best of ${best.games} games.`}
      </span>
    </p>
  );
}

/** The newest decided duel, until it is put away. */
export function Decided({ duel, user, onDone }: { duel: Duel; user: User; onDone: () => void }) {
  const id = useId();
  const isOpen = useOpenDuel(duel.rival.username) !== undefined;
  const now = serverDate();
  const from = dayAndMonth(new Date(duel.accepted_at ?? 0), now);
  const to = dayAndMonth(new Date(new Date(duel.ends_at ?? 0).getTime() - 1), now);
  return (
    <section className={panel.panel} aria-labelledby={id}>
      <p className={styles.over}>
        Duel with {rivalName(duel)}, {from} to {to}
      </p>
      <h2 id={id} className={`display ${styles.result}`}>
        <span className={duel.result === 'won' ? styles.ball : styles.hollow} aria-hidden="true" />
        {resultWords(duel.result, scoresOf(duel))}
      </h2>
      <Versus duel={duel} user={user} />
      <OwnBest duel={duel} />
      <div className={styles.buttons}>
        <Button look="quiet" onClick={onDone}>
          Done
        </Button>
        {!isOpen && (
          <OfferDuel look="primary" words="Rematch" rival={duel.rival.username ?? undefined} />
        )}
      </div>
    </section>
  );
}
