import { contestAddress, cupAddress } from '#contract/rules/addresses.ts';
import type { RunningAnswer } from '#contract/wire/contests.ts';
import type { RunningCup } from '#contract/wire/cups.ts';
import { Link } from '../router.tsx';
import { cupText } from '../session/cup.ts';
import { useLeagueStats } from '../session/reads.ts';
import { useRunning } from '../session/running.ts';
import { Strip } from '../ui/Strip.tsx';
import { serverDate } from '../ui/server-clock.ts';
import styles from './ContestStrip.module.css';
import { contestText, lineText } from './contest.ts';
import { countsForTeam, type Mode } from './team.ts';

/**
 * Says under the code what the next game counts for, while a cup or contest runs where the player
 * plays.
 */
export function ContestLine({ mode }: { mode: Mode }) {
  const running = useRunning();
  const stats = useLeagueStats(mode === 'on');
  const line = lineText(running, countsForTeam(mode, stats.data, serverDate()));
  return line && <p className={styles.line}>{line}</p>;
}

/** The player's pairing in a cup that runs, or begins within two weeks (CUP-31). */
export function CupStrip({ cup }: { cup: RunningCup }) {
  return (
    <Strip
      as={Link}
      to={cupAddress(cup.id)}
      picture={<span className={styles.frame} aria-hidden="true" />}
      title={cup.name}
    >
      {cupText(cup)}
    </Strip>
  );
}

/** The contest that the player plays in, with their place (CONTEST-10). */
export function ContestStrip({ contest }: { contest: NonNullable<RunningAnswer['contest']> }) {
  return (
    <Strip
      as={Link}
      to={contestAddress(contest.code)}
      picture={
        <span className={styles.frame} aria-hidden="true">
          {contest.place ?? ''}
        </span>
      }
      title={contest.name}
    >
      {contestText(contest)}
    </Strip>
  );
}
