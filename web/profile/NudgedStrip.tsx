import { useEffect, useState } from 'react';
import { useLeagueStats } from '../session/reads.ts';
import { isWeekOpened, openWeek } from '../session/seen.ts';
import { useStrips } from './load-strips.ts';

/**
 * Says that the player was nudged, until the strip is opened, a game is played, or no game can turn
 * the week (NUDGE-06). It never appears after scrolling (LOOK-52).
 */
export function NudgedStrip() {
  const nudged = useLeagueStats(true).data?.nudged;
  const wanted = Boolean(nudged && !isWeekOpened(nudged.closes_at));
  const strips = useStrips();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (wanted && strips && window.scrollY === 0) setShown(true);
  }, [wanted, strips]);
  if (!strips || !nudged || !shown) return null;
  return (
    <strips.Nudged
      nudged={nudged}
      onOpen={() => {
        openWeek(nudged.closes_at);
        setShown(false);
      }}
    />
  );
}
