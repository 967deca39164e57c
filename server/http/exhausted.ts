/**
 * A cache of the latest `max / 2` to `max` exhausted limits, by key, with the end of their windows.
 * It drops old keys together, so that a flood from many networks costs no scan.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /** The end of a limit's window, perhaps in the past; undefined if not cached. */
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
