/**
 * A cache of exhausted limits: for each key, the end of the window. The cache holds at most `max`
 * keys and drops old keys in bulk, so that a flood from many networks costs no scan.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /** When the limit's window ends or ended, or undefined if the limit is not cached. */
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
