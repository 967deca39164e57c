import { useState } from 'react';
import type { DuelsAnswer } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { Link } from '../router.tsx';
import styles from './Duel.module.css';
import { Offered } from './Offered.tsx';
import { Running } from './Running.tsx';

/** The most running duels that the profile shows. */
const RUNNING_SHOWN = 2;

/** On the profile: the newest offer, then the duels that end soonest. */
export function Panels({ duels, user }: { duels: DuelsAnswer; user: User }) {
  const [answered, setAnswered] = useState<string[]>([]);
  // A block removes the offer from `duels`. The panel says so, and stays until the player closes it.
  const [offer, setOffer] = useState(() => duels.offers.find((one) => !one.offered_by_me));
  const next = duels.offers.find((one) => !one.offered_by_me && !answered.includes(one.id));
  const shown = offer && !answered.includes(offer.id) ? offer : next;
  if (shown !== undefined && shown.id !== offer?.id) setOffer(shown);
  const rest = duels.running.length - RUNNING_SHOWN;
  return (
    <div className={styles.panels}>
      {shown && (
        <Offered
          key={shown.id}
          duel={shown}
          onGone={() => setAnswered((gone) => [...gone, shown.id])}
        />
      )}
      {duels.running.slice(0, RUNNING_SHOWN).map((duel) => (
        <Running key={duel.id} duel={duel} user={user} linked />
      ))}
      {rest > 0 && (
        <Link className="textlink" to="/duels">
          All duels
        </Link>
      )}
    </div>
  );
}
