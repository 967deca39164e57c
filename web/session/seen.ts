import { OPENED_WEEK_KEY, SEEN_KEY } from './session.ts';

type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** The keys that were shown; null when nothing has been kept since signing in. */
function seen(storage: Kept): string[] | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(SEEN_KEY) ?? 'null');
    return Array.isArray(value) ? value.map(String) : null;
  } catch {
    return null;
  }
}

/**
 * Which of the won achievements are new to the player: won since this browser last showed them.
 * Takes and gives keys. Whoever has just signed in begins with nothing new: what they won before
 * is no news, and a list of twelve would be none either.
 */
export function newAchievements(won: readonly string[], storage: Kept = localStorage): string[] {
  const known = seen(storage);
  if (known === null) seeAchievements(won, storage);
  return known === null ? [] : won.filter((key) => !known.includes(key));
}

/** Remembers that the player has seen these; takes all that are won, as keys. */
export function seeAchievements(won: readonly string[], storage: Kept = localStorage): void {
  storage.setItem(SEEN_KEY, JSON.stringify(won));
}

/** Whether the picture of the week that began on `monday` has been opened in this browser. */
export function isWeekOpened(monday: string, storage: Kept = localStorage): boolean {
  return storage.getItem(OPENED_WEEK_KEY) === monday;
}

/** Remembers that it has. */
export function openWeek(monday: string, storage: Kept = localStorage): void {
  storage.setItem(OPENED_WEEK_KEY, monday);
}
