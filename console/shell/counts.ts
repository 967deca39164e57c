/** The number beside a place: `words` is what screen readers hear. */
export type Count = { number: number; words: string };

/** The numbers of the places that have one. Red is for what needs a hand. */
export type Counts = { hands: Count | null; inbox: Count | null };

/**
 * The numbers in the rail and the bar, on every screen. Each part is one small read with its own
 * topics (console/api/queries.ts).
 */
export function useCounts(): Counts {
  return { hands: null, inbox: null };
}
