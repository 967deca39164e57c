import type { Duel } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Figure } from '../ui/Figure.tsx';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import styles from './Duel.module.css';
import { rivalName, scoresOf } from './words.ts';

function Score({ of }: { of: number | null }) {
  return of === null ? (
    <dd className={styles.none}>
      –<span className="sr"> no game</span>
    </dd>
  ) : (
    <dd>
      <Figure value={of.toLocaleString('en')} />
    </dd>
  );
}

type VersusProps = {
  duel: Duel;
  user: User;
  /** Whether the duel has just begun, so that the ball drops. */
  begins?: boolean;
};

/** The two plates: the player's first, then the rival's in red. The loser's is dimmed. */
export function Versus({ duel, user, begins = false }: VersusProps) {
  const { own, other } = scoresOf(duel);
  const long = Math.max(own ?? 0, other ?? 0) > 999;
  return (
    <dl className={long ? `${styles.versus} ${styles.long}` : styles.versus} data-begins={begins}>
      <div className={duel.result === 'lost' ? styles.lost : undefined}>
        <JerseyOf {...user} small />
        <Score of={own} />
        <dt>
          <NameBreaks name={user.username.toUpperCase()} />
        </dt>
      </div>
      <div className={duel.result === 'won' ? `${styles.them} ${styles.lost}` : styles.them}>
        <Score of={other} />
        <JerseyOf {...duel.rival} small />
        <dt>
          <NameBreaks name={rivalName(duel)} />
        </dt>
      </div>
    </dl>
  );
}
