import { useId, useState } from 'react';
import type { Duel } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { Link } from '../router.tsx';
import panel from '../ui/Panel.module.css';
import { serverDate } from '../ui/server-clock.ts';
import { useServerTime } from '../ui/server-time.ts';
import { TimeLeft } from '../ui/TimeLeft.tsx';
import styles from './Duel.module.css';
import { Versus } from './Versus.tsx';
import { endText, leadWords, rivalName, scoresOf } from './words.ts';

/** A duel accepted less than this ago has just begun. */
const BEGINS_MS = 20_000;

type RunningProps = {
  duel: Duel;
  user: User;
  /** Whether the heading links to the duels, as on the profile. */
  linked?: boolean;
};

/** A running duel: who leads, and when it ends. */
export function Running({ duel, user, linked = false }: RunningProps) {
  const id = useId();
  const endsAt = new Date(duel.ends_at ?? 0);
  const isOver = useServerTime(60_000) >= endsAt.getTime();
  const acceptedAt = new Date(duel.accepted_at ?? 0).getTime();
  const [begins] = useState(() => serverDate().getTime() - acceptedAt < BEGINS_MS);
  const { own, other } = scoresOf(duel);
  const { lead, hint } = leadWords(own, other);
  const title = (
    <>
      Duel<span className="sr"> with {rivalName(duel)}</span>
    </>
  );
  return (
    <section className={panel.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className="display">
          {linked ? <Link to="/duels">{title}</Link> : title}
        </h2>
        <span>
          {isOver ? (
            'Last games are coming in'
          ) : (
            <>
              <TimeLeft until={endsAt} /> left
            </>
          )}
        </span>
      </div>
      <Versus duel={duel} user={user} begins={begins} />
      <p className={styles.say} role="status">
        <b>{lead}</b> <span>{hint}</span>
      </p>
      <p className={styles.until}>Until {endText(endsAt)}.</p>
    </section>
  );
}
