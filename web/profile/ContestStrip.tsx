import { useQuery } from '@tanstack/react-query';
import { contestAddress } from '#contract/rules/pages.ts';
import { getRunning } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Strip } from '../ui/Strip.tsx';
import styles from './ContestStrip.module.css';
import { contestText } from './contest.ts';
import type { Mode } from './team.ts';

/** The place moves with the games of others, and the time with the clock. */
const REFRESH_MS = 60_000;

function useRunning() {
  const { api } = useAuth();
  const { data } = useQuery({
    queryKey: KEYS.running,
    queryFn: ({ signal }) => getRunning(api, signal),
    refetchInterval: REFRESH_MS,
    meta: { failure: 'The contest could not be read.', movedBy: ['game', 'contest'] },
  });
  return data?.contest ?? null;
}

/** Under the code, while a contest runs where the player plays: what the next game counts for. */
export function ContestLine({ mode }: { mode: Mode }) {
  const contest = useRunning();
  if (contest?.state !== 'running') return null;
  return (
    <p className={styles.line}>
      This game counts for the contest{mode === 'on' ? ' and your team' : ' and you'}.
    </p>
  );
}

/** The contest where the player plays, with the own place (CONTEST-10). */
export function ContestStrip() {
  const contest = useRunning();
  if (contest === null) return null;
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
