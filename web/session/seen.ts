import { OPENED_WEEK_KEY, SEEN_KEY } from './session.ts';

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The keys that were shown; null when none have been stored since signing in. */
function seen(storage: Store): string[] | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(SEEN_KEY) ?? 'null');
    return Array.isArray(value) ? value.map(String) : null;
  } catch {
    return null;
  }
}

/**
 * The keys of `won` that this browser has not shown yet. On the first call after signing in nothing
 * is new: all of `won` counts as seen.
 */
export function newAchievements(won: readonly string[], storage: Store = localStorage): string[] {
  const known = seen(storage);
  if (known === null) seeAchievements(won, storage);
  return known === null ? [] : won.filter((key) => !known.includes(key));
}

/** Stores `won`, the keys of all won achievements, as seen. */
export function seeAchievements(won: readonly string[], storage: Store = localStorage): void {
  storage.setItem(SEEN_KEY, JSON.stringify(won));
}

/** Whether the picture of the week that began on `monday` has been opened in this browser. */
export function isWeekOpened(monday: string, storage: Store = localStorage): boolean {
  return storage.getItem(OPENED_WEEK_KEY) === monday;
}

export function openWeek(monday: string, storage: Store = localStorage): void {
  storage.setItem(OPENED_WEEK_KEY, monday);
}
