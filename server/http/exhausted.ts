/**
 * A cache of exhausted limits: their keys, and when their windows end. It has between `max / 2` and
 * `max` of the latest keys. It drops old keys together, so that a flood from many networks costs no
 * scan.
 */
export function exhaustedLimits(max: number) {
  let recent = new Map<string, Date>();
  let older = new Map<string, Date>();
  return {
    /**
     * When a limit's window ends, which may be in the past; undefined if the limit is not cached.
     */
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
