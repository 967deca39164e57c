/**
 * A cache of exhausted limits: the key of each, and the end of its window. It holds at least the
 * last `max / 2` keys that were added, and at most `max`. Old keys are dropped together, so that a
 * flood from many networks costs no scan.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /** The end of the window of an exhausted limit, or undefined. It may have passed. */
    endOf: (key: string): Date | undefined => recent.get(key) ?? older.get(key),
    add(key: string, end: Date): void {
      if (recent.size >= max / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(key, end);
    },
  };
}
