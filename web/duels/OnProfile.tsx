import { lazy, useEffect, useRef, useState } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { useDuels } from '../session/reads.ts';
import { isDuelSeen } from '../session/seen.ts';
import { Later } from '../shell/Later.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { newestDecided } from './newest.ts';

const Panels = lazy(() => import('./parts.ts').then((m) => ({ default: m.Panels })));
const DecidedStrip = lazy(() => import('./parts.ts').then((m) => ({ default: m.DecidedStrip })));

/** Offers and running duels under the pass. Their script loads when there is one to show. */
export function ProfileDuels({ user, onAnswered }: { user: User; onAnswered: () => void }) {
  const first = useDuels().data?.pages[0];
  const wanted =
    first !== undefined &&
    first.running.length + first.offers.filter((one) => !one.offered_by_me).length > 0;
  // A duel that arrives later must not move the page under the player's thumb (LOOK-52).
  const [shown, setShown] = useState(false);
  const isFirstRead = useRef(true);
  useEffect(() => {
    if (first === undefined) return;
    if (wanted && (isFirstRead.current || window.scrollY === 0)) setShown(true);
    isFirstRead.current = false;
  }, [first, wanted]);
  // `Panels` decides when it is empty: an offer stays while its block can be undone.
  if (first === undefined || !shown) return null;
  return (
    <Later>
      <Panels duels={first} user={user} onAnswered={onAnswered} />
    </Later>
  );
}

/**
 * The newest decided duel, until it is opened. It is chosen once, and never appears after scrolling
 * (LOOK-52). What it says follows a result that turns (DUEL-06).
 */
export function DuelStrip() {
  const results = useDuels().data?.pages[0]?.results;
  const [told, setTold] = useState<string | null>();
  useEffect(() => {
    if (told !== undefined || results === undefined) return;
    const newest = newestDecided(results, serverDate());
    setTold(newest && window.scrollY === 0 && !isDuelSeen(newest.id) ? newest.id : null);
  }, [results, told]);
  const duel = results?.find(({ id }) => id === told);
  if (!duel) return null;
  return (
    <Later>
      <DecidedStrip duel={duel} />
    </Later>
  );
}
