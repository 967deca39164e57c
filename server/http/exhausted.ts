/**
 * Caches for each exhausted limit, by key, when its window ends. Holds at most `max` keys, and drops
 * the older half at once, so that a flood from many networks costs no search for old keys.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /** When the window ends or ended; undefined if not cached. */
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
