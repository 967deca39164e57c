import { useState } from 'react';
import type { DuelsAnswer } from '#contract/wire/duels.ts';
import type { User } from '#contract/wire/profile.ts';
import { Link } from '../router.tsx';
import styles from './Duel.module.css';
import { Offered } from './Offered.tsx';
import { Running } from './Running.tsx';

/** The most running duels that the profile shows. */
const RUNNING_SHOWN = 2;

type PanelsProps = { duels: DuelsAnswer; user: User; onAnswered: () => void };

/** On the profile: the newest offer, then the duels that end soonest. */
export function Panels({ duels, user, onAnswered }: PanelsProps) {
  const [answered, setAnswered] = useState<string[]>([]);
  const open = duels.offers.filter((one) => !one.offered_by_me && !answered.includes(one.id));
  const [offer, setOffer] = useState(open[0]);
  // A block removes the offer from `duels`. Its panel says so, and stays while the player can undo it.
  const [busy, setBusy] = useState(false);
  const shown = open.find(({ id }) => id === offer?.id) ?? (busy ? offer : open[0]);
  if (shown?.id !== offer?.id) setOffer(shown);
  const rest = duels.running.length - RUNNING_SHOWN;
  if (shown === undefined && duels.running.length === 0) return null;
  return (
    <div className={styles.panels}>
      {shown && (
        <Offered
          key={shown.id}
          duel={shown}
          onBusy={setBusy}
          onGone={() => {
            setAnswered((gone) => [...gone, shown.id]);
            setBusy(false);
          }}
          onAnswered={onAnswered}
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
