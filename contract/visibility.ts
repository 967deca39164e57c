import { ageOn, latestDate } from './birthdate.ts';

/**
 * Who may see a player's name and jersey (ACC-60), from the fewest to the most: everybody on a team
 * of the player's league; everybody with an account; also everybody in front of a venue's screen.
 */
export const VISIBILITIES = ['league', 'players', 'venue'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A player younger than this is visible in the own league only (ACC-61). */
export const ADULT_AGE_DEFAULT = 18;

/** Shown in place of a name that the viewer may not see. It has a space, so no username equals it. */
export const A_PLAYER = 'A player';

export const VISIBILITY_UNKNOWN = 'Visibility must be league, players or venue.';

/** The message for a choice that is wider than `visibility_max` allows (ACC-61). */
export function underAgeMessage(age: number): string {
  return `Under ${age}, only your league sees your name. You can choose this from the age of ${age}.`;
}

/**
 * Whether somebody with this birth date (`YYYY-MM-DD`) is under age at `now`. The age counts on the
 * latest date on earth. True while the birth date is unknown; never if `adultAge` is 0 (ACC-61).
 */
export function isUnderAge(birthdate: string | null, adultAge: number, now: Date): boolean {
  if (adultAge === 0) return false;
  return birthdate === null || ageOn(birthdate, now) < adultAge;
}

/**
 * The latest birth date (`YYYY-MM-DD`) of somebody who is not under age at `now`. A database query
 * compares birth dates with it, so that it applies the rule of `isUnderAge`. Null if `adultAge` is 0.
 */
export function lastAdultBirthdate(adultAge: number, now: Date): string | null {
  if (adultAge === 0) return null;
  const today = latestDate(now);
  const year = String(Number(today.slice(0, 4)) - adultAge).padStart(4, '0');
  const date = `${year}${today.slice(4)}`;
  // If the birth year has no 29 February, use the 28th: those born on 1 March come of age on 1
  // March.
  return date.endsWith('-02-29') && !isLeap(Number(year)) ? `${year}-02-28` : date;
}

const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** The day (`YYYY-MM-DD`) on which somebody with this birth date is `adultAge` years old. */
export function adultFrom(birthdate: string, adultAge: number): string {
  const date = new Date(`${birthdate}T00:00:00Z`);
  // 29 February becomes 1 March in a year without that day, as in `ageOn`.
  date.setUTCFullYear(date.getUTCFullYear() + adultAge);
  return date.toISOString().slice(0, 10);
}

/** Whether `one` shows a name to more people than `other`. */
export function isWider(one: Visibility, other: Visibility): boolean {
  return VISIBILITIES.indexOf(one) > VISIBILITIES.indexOf(other);
}
