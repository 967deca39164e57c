import { useEffect, useRef } from 'react';
import { countInbox, listMachineStates } from '../api/calls.ts';
import { HANDS, INBOX_COUNT, useRead } from '../api/queries.ts';
import { useMay } from '../session/me.tsx';
import { isBad } from '../ui/State.tsx';
import { announce } from './announce.ts';
import { useRequests, wantToJoin } from './requests.tsx';

/** A number in the menu. Screen readers read `words`. */
export type Count = { number: number; words: string };

/** The numbers beside Tonight (`hands`, red), Inbox and Leagues; null for 0. */
export type Counts = { hands: Count | null; inbox: Count | null; requests: Count | null };

const useInboxCount = (may: boolean) =>
  useRead(INBOX_COUNT, countInbox, ['held', 'reports', 'weeks'], may).data;

/** Announces held games and reports when they come, on every page (PROD-165). */
export function useAnnouncedCases(): void {
  const waiting = useInboxCount(useMay('manager'));
  const before = useRef(waiting);
  useEffect(() => {
    const was = before.current;
    before.current = waiting;
    if (was === undefined || waiting === undefined) return;
    const many = () => 'New held games and reports';
    if (waiting.held > was.held) announce('New held game', many);
    if (waiting.reports > was.reports) announce('New report', many);
  }, [waiting]);
}

/** The menu's numbers. Each has its own query, so that an event refetches only that one. */
export function useCounts(): Counts {
  const read = useRead(HANDS, listMachineStates, ['machines']);
  const bad = (read.data?.results ?? []).filter(
    ({ state, revoked }) => isBad(state) && !revoked,
  ).length;
  const words = bad === 1 ? '1 machine needs a hand' : `${bad} machines need a hand`;
  const may = useMay('manager');
  const waiting = useInboxCount(may);
  const inbox = (waiting?.held ?? 0) + (waiting?.reports ?? 0);
  const requests = useRequests().length;
  return {
    hands: bad === 0 ? null : { number: bad, words },
    inbox: inbox === 0 ? null : { number: inbox, words: `${inbox} to decide` },
    requests: requests === 0 ? null : { number: requests, words: wantToJoin(requests) },
  };
}
