import { listMachineStates } from '../api/calls.ts';
import { HANDS, useRead } from '../api/queries.ts';
import { isBad } from '../ui/State.tsx';

/** The number beside a place: `words` is what screen readers hear. */
export type Count = { number: number; words: string };

/** The numbers of the places that have one. Red is for what needs a hand. */
export type Counts = { hands: Count | null; inbox: Count | null };

/**
 * The numbers in the rail and the bar, on every screen. Each part is one small read with its own
 * topics (console/api/queries.ts).
 */
export function useCounts(): Counts {
  const read = useRead(HANDS, listMachineStates, ['machines']);
  const bad = (read.data?.results ?? []).filter(
    ({ state, revoked }) => isBad(state) && !revoked,
  ).length;
  const words = bad === 1 ? '1 machine needs a hand' : `${bad} machines need a hand`;
  return { hands: bad === 0 ? null : { number: bad, words }, inbox: null };
}
