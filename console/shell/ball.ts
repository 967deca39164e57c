import { useEffect, useRef } from 'react';
import { countTonight } from '../api/calls.ts';
import { TONIGHT_COUNT, useRead } from '../api/queries.ts';
import { announce } from './announce.ts';
import { useUntil } from './until.ts';

/** Tonight's counts, read again at the events that change machines or the inbox. */
function useCount() {
  const read = useRead(TONIGHT_COUNT, countTonight, ['machines', 'held', 'reports', 'weeks']);
  useUntil(read.data, () => void read.refetch());
  return read.data;
}

/** The console's one number: machines in need, and the inbox's open cases (HAND-C7). */
export const useBall = (): number => useCount()?.number ?? 0;

/** Tells screen readers about each new case of the inbox, on every page (PROD-165). */
export function useAnnouncedCases(): void {
  const waiting = useCount();
  const before = useRef(waiting);
  useEffect(() => {
    const was = before.current;
    before.current = waiting;
    if (was === undefined || waiting === undefined) return;
    const many = () => 'The inbox has new cases';
    if (waiting.held > was.held) announce('New held game', many);
    if (waiting.reports > was.reports) announce('New report', many);
    if (waiting.requests > was.requests) announce('New request to join', many);
  }, [waiting]);
}
