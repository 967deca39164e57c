import { listMachineStates, readInbox } from '../api/calls.ts';
import { HANDS, INBOX, useRead } from '../api/queries.ts';
import { isBad } from '../ui/State.tsx';

/** The number beside a place. Screen readers announce `words`. */
export type Count = { number: number; words: string };

/** The numbers beside Tonight and Inbox. The red one counts what needs a hand. */
export type Counts = { hands: Count | null; inbox: Count | null };

/**
 * Reads the numbers in the rail and the bar, which every screen shows. Each number is one small
 * query with its own topics (console/api/queries.ts).
 */
export function useCounts(): Counts {
  const read = useRead(HANDS, listMachineStates, ['machines']);
  const bad = (read.data?.results ?? []).filter(
    ({ state, revoked }) => isBad(state) && !revoked,
  ).length;
  const words = bad === 1 ? '1 machine needs a hand' : `${bad} machines need a hand`;
  const inbox = useRead(INBOX, readInbox, ['held', 'reports']).data?.total ?? 0;
  return {
    hands: bad === 0 ? null : { number: bad, words },
    inbox: inbox === 0 ? null : { number: inbox, words: `${inbox} to judge` },
  };
}
