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
import { contestText } from './contest.ts';
import { countsForTeam, type Mode } from './team.ts';

const LINES = {
  cup: 'This game counts for the cup.',
  contestAndTeam: 'This game counts for the contest and your team.',
  contestAndYou: 'This game counts for the contest and you.',
  cupAndContest: 'This game counts for the cup and the contest.',
  all: 'This game counts for the cup, the contest and your team.',
  cupAndTeam: 'This game counts for the cup and your team.',
};

/**
 * Says under the code what the next game counts for, while a cup or contest runs where the player
 * plays.
 */
export function ContestLine({ mode }: { mode: Mode }) {
  const { contest, cup } = useRunning();
  const stats = useLeagueStats(mode === 'on');
  const inContest = contest?.state === 'running';
  const inCup = cup !== null && cup.starts_at <= cup.now && cup.now < cup.ends_at;
  if (!inContest && !inCup) return null;
  const team = countsForTeam(mode, stats.data, serverDate());
  const line =
    inCup && inContest
      ? team
        ? LINES.all
        : LINES.cupAndContest
      : inCup
        ? team
          ? LINES.cupAndTeam
          : LINES.cup
        : team
          ? LINES.contestAndTeam
          : LINES.contestAndYou;
  return <p className={styles.line}>{line}</p>;
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
