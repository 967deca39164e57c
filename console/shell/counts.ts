import { countInbox, listMachineStates, listRequests } from '../api/calls.ts';
import { HANDS, INBOX_COUNT, REQUESTS, useRead } from '../api/queries.ts';
import { useMay } from '../session/me.tsx';
import { isBad } from '../ui/State.tsx';

/** The number beside a place. Screen readers announce `words`. */
export type Count = { number: number; words: string };

/**
 * The numbers beside Tonight, Inbox and Leagues. `hands` is the red number of things that need a
 * hand.
 */
export type Counts = { hands: Count | null; inbox: Count | null; requests: Count | null };

/**
 * Reads the numbers that the rail and the bar show on every screen. Each number is one small query
 * with topics of its own (console/api/queries.ts).
 */
export function useCounts(): Counts {
  const read = useRead(HANDS, listMachineStates, ['machines']);
  const bad = (read.data?.results ?? []).filter(
    ({ state, revoked }) => isBad(state) && !revoked,
  ).length;
  const words = bad === 1 ? '1 machine needs a hand' : `${bad} machines need a hand`;
  const may = useMay('manager');
  const waiting = useRead(INBOX_COUNT, countInbox, ['held', 'reports'], may).data;
  const inbox = (waiting?.held ?? 0) + (waiting?.reports ?? 0);
  const requests = useRead(REQUESTS, listRequests, ['weeks'], may).data?.results.length ?? 0;
  return {
    hands: bad === 0 ? null : { number: bad, words },
    inbox: inbox === 0 ? null : { number: inbox, words: `${inbox} to judge` },
    requests:
      requests === 0
        ? null
        : { number: requests, words: `${requests} ${requests === 1 ? 'wants' : 'want'} to join` },
  };
}
