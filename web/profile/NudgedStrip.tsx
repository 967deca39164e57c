import { lazy, useEffect, useState } from 'react';
import { useLeagueStats } from '../session/reads.ts';
import { isWeekOpened, openWeek } from '../session/seen.ts';
import { Later } from '../shell/Later.tsx';

const Nudged = lazy(() => import('./strips.ts').then((m) => ({ default: m.Nudged })));

/**
 * Says that the player was nudged, until the strip is opened, a game is played, or no game can turn
 * the week (NUDGE-06). It never appears after scrolling (LOOK-52).
 */
export function NudgedStrip() {
  const nudged = useLeagueStats(true).data?.nudged;
  const wanted = Boolean(nudged && !isWeekOpened(nudged.closes_at));
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (wanted && window.scrollY === 0) setShown(true);
  }, [wanted]);
  if (!nudged || !shown) return null;
  return (
    <Later>
      <Nudged
        nudged={nudged}
        onOpen={() => {
          openWeek(nudged.closes_at);
          setShown(false);
        }}
      />
    </Later>
  );
}
