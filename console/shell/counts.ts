import { countInbox, listMachineStates } from '../api/calls.ts';
import { HANDS, INBOX_COUNT, useRead } from '../api/queries.ts';
import { useMay } from '../session/me.tsx';
import { isBad } from '../ui/State.tsx';
import { useRequests, wantToJoin } from './requests.tsx';

/** A number in the menu. Screen readers read `words`. */
export type Count = { number: number; words: string };

/** The numbers beside Tonight (`hands`, red), Inbox and Leagues; null for 0. */
export type Counts = { hands: Count | null; inbox: Count | null; requests: Count | null };

/** The menu's numbers. Each has its own query, so that an event refetches only that one. */
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
