/**
 * A cache of exhausted limits: their keys, and the ends of their windows. It has between the last
 * `max / 2` and `max` keys. It drops old keys together, so that a flood from many networks costs no
 * scan.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /** The end of a limit's window, which may have passed; undefined if it is not cached. */
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
