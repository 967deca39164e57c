import { countInbox, listMachineStates } from '../api/calls.ts';
import { HANDS, INBOX_COUNT, useRead } from '../api/queries.ts';
import { useMay } from '../session/me.tsx';
import { isBad } from '../ui/State.tsx';
import { useRequests, wantToJoin } from './requests.tsx';

/** Screen readers get `words`. */
export type Count = { number: number; words: string };

/**
 * The numbers beside Tonight, Inbox and Leagues. `hands` is the red number of things that need a
 * hand.
 */
export type Counts = { hands: Count | null; inbox: Count | null; requests: Count | null };

/**
 * Reads the numbers that every screen shows. Each is a small query with its own topics
 * (console/api/queries.ts).
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
  const requests = useRequests().length;
  return {
    hands: bad === 0 ? null : { number: bad, words },
    inbox: inbox === 0 ? null : { number: inbox, words: `${inbox} to judge` },
    requests: requests === 0 ? null : { number: requests, words: wantToJoin(requests) },
  };
}
