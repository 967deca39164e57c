/** When the window ends, and how many times over the limit the use is. */
type Exhausted = { end: Date; load: number };

/**
 * Caches exhausted limits by key, at most `max` of them. Drops the older half at once, so that a
 * flood from many networks costs no search for old keys.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Exhausted>();
  let older = new Map<string, Exhausted>();
  return {
    /** The cached limit, whose window may have ended; undefined if it is not cached. */
    get: (key: string): Exhausted | undefined => recent.get(key) ?? older.get(key),
    forget(key: string): void {
      recent.delete(key);
      older.delete(key);
    },
    add(key: string, exhausted: Exhausted): void {
      if (recent.size >= max / 2) {
        older = recent;
        recent = new Map();
      }
      recent.set(key, exhausted);
    },
  };
}
