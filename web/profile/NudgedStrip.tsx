import { type ComponentProps, useEffect, useState } from 'react';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { useLeagueStats } from '../session/reads.ts';
import { isWeekOpened, openWeek } from '../session/seen.ts';
import { Strip } from '../ui/Strip.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { Bell } from './Bell.tsx';
import { BEAT } from './NumberToBeat.tsx';
import styles from './TeamStrips.module.css';

const HOUR_MS = 3_600_000;
type Nudged = NonNullable<LeagueStats['nudged']>;

/** Who nudges the player, and what is left to do. */
export function nudgedWords({ by, left, gap, closes_at }: Nudged, now: Date) {
  const hours = Math.floor((new Date(closes_at).getTime() - now.getTime()) / HOUR_MS);
  const games = left === 1 ? '1 league game' : `${left} league games`;
  if (by === null)
    return {
      title: gap === 0 ? 'Your team is level' : `Your team is ${gap} behind`,
      text: `${games} left. The week closes in ${hours} h.`,
    };
  return {
    title: `${by.toUpperCase()} nudges you`,
    text:
      gap === 0
        ? `${games} left. Your team is level, the week closes in ${hours} h.`
        : `${games} left. Your team is ${gap} behind, the week closes in ${hours} h.`,
  };
}

/** The number to beat, further down this page. */
const ToBeat = ({ onFollow, ...anchor }: ComponentProps<ComponentProps<typeof Strip>['as']>) => (
  <a {...anchor} href={`#${BEAT}`} onClick={onFollow} />
);

/**
 * That the player was nudged, until it is opened, a game is played, or none can turn the week
 * (NUDGE-06). It never appears after scrolling (LOOK-52).
 */
export function NudgedStrip() {
  const nudged = useLeagueStats(true).data?.nudged;
  const wanted = Boolean(nudged && !isWeekOpened(nudged.closes_at));
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (wanted && window.scrollY === 0) setShown(true);
  }, [wanted]);
  if (!nudged || !shown) return null;
  const { title, text } = nudgedWords(nudged, serverDate());
  return (
    <Strip
      as={ToBeat}
      to="/profile"
      onFollow={() => {
        openWeek(nudged.closes_at);
        setShown(false);
      }}
      picture={
        <span className={styles.badge}>
          <Bell />
        </span>
      }
      title={title}
    >
      {text}
    </Strip>
  );
}
