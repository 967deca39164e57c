import type { ComponentProps } from 'react';
import { isBeforeLastHour } from '#contract/rules/nudges.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { Strip } from '../ui/Strip.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { Bell } from './Bell.tsx';
import { BEAT } from './NumberToBeat.tsx';
import styles from './TeamStrips.module.css';

const HOUR_MS = 3_600_000;
type Nudged = NonNullable<LeagueStats['nudged']>;

function titleOf({ by, gap }: Nudged): string {
  if (by !== null) return `${by.toUpperCase()} nudges you`;
  return gap === 0 ? 'Your team is level' : `Your team is ${gap} behind`;
}

function textOf({ by, left, gap }: Nudged, hours: number): string {
  // The title says how the team stands.
  if (by === null)
    return left === 1
      ? `1 league game left. The week closes in ${hours} h.`
      : `${left} league games left. The week closes in ${hours} h.`;
  if (gap === 0)
    return left === 1
      ? `1 league game left. Your team is level, the week closes in ${hours} h.`
      : `${left} league games left. Your team is level, the week closes in ${hours} h.`;
  return left === 1
    ? `1 league game left. Your team is ${gap} behind, the week closes in ${hours} h.`
    : `${left} league games left. Your team is ${gap} behind, the week closes in ${hours} h.`;
}

/** Who nudges the player, and what is left to do. */
export function nudgedWords(nudged: Nudged, now: Date) {
  const hours = Math.floor((new Date(nudged.closes_at).getTime() - now.getTime()) / HOUR_MS);
  return { title: titleOf(nudged), text: textOf(nudged, hours) };
}

/** A link to the number to beat, further down this page. */
const ToBeat = ({ onFollow, ...anchor }: ComponentProps<ComponentProps<typeof Strip>['as']>) => (
  <a {...anchor} href={`#${BEAT}`} onClick={onFollow} />
);

/** Nothing once nobody can be nudged: offline, `nudged` may be older than its week. */
export function Nudged({ nudged, onOpen }: { nudged: Nudged; onOpen: () => void }) {
  const now = serverDate();
  if (!isBeforeLastHour(nudged.closes_at, now)) return null;
  const { title, text } = nudgedWords(nudged, now);
  return (
    <Strip
      as={ToBeat}
      to="/profile"
      onFollow={onOpen}
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
