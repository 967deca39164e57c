import type { ContestListed } from '#contract/wire/contests.ts';
import { stopContest } from '../api/calls.ts';
import { CONTESTS, useChange } from '../api/queries.ts';
import { AskDialog } from '../ui/ask.tsx';

/** Asks before a running contest ends (CONTEST-07). */
export function StopDialog({
  contest,
  onClose,
  onDone,
}: {
  contest: ContestListed;
  onClose: () => void;
  onDone: () => void;
}) {
  const stopping = useChange(() => stopContest(contest.id), { stale: [CONTESTS], onDone });
  return (
    <AskDialog
      title={`Stop ${contest.name} now?`}
      stops={['Games that are played from now on do not count for it.']}
      stays={[
        'Games that were played until now count, also those that are still on their way.',
        'The screens show the winner once every machine has reported that nobody plays: 15 minutes from now at the latest, unless a game is held.',
      ]}
      verb="Stop it now"
      failed="Not stopped"
      change={stopping}
      onClose={onClose}
    />
  );
}
