import { ageOn, latestDate } from './birthdate.ts';

/** Younger players are visible in their league only (ACC-61). */
export const ADULT_AGE_DEFAULT = 18;

/** The error for a choice wider than `visibility_max` (ACC-61). */
export function underAgeMessage(age: number): string {
  return `Under ${age}, only your league sees your name. You can choose this from the age of ${age}.`;
}

/**
 * Whether somebody born on `birthdate` (`YYYY-MM-DD`) is under age (ACC-61), by `latestDate`. False
 * if `adultAge` is 0; otherwise true without a birth date.
 */
export function isUnderAge(birthdate: string | null, adultAge: number, now: Date): boolean {
  if (adultAge === 0) return false;
  return birthdate === null || ageOn(birthdate, now) < adultAge;
}

/**
 * The latest birth date (`YYYY-MM-DD`) of a player who is of age at `now`; null if `adultAge` is 0.
 * Queries use it in place of `isUnderAge`.
 */
export function lastAdultBirthdate(adultAge: number, now: Date): string | null {
  if (adultAge === 0) return null;
  const today = latestDate(now);
  const year = String(Number(today.slice(0, 4)) - adultAge).padStart(4, '0');
  const date = `${year}${today.slice(4)}`;
  // If `year` has no 29 February, use the 28th: a player born on 1 March is not of age before
  // 1 March.
  return date.endsWith('-02-29') && !isLeap(Number(year)) ? `${year}-02-28` : date;
}

const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** The day (`YYYY-MM-DD`) on which a player becomes `adultAge`. */
export function adultFrom(birthdate: string, adultAge: number): string {
  const date = new Date(`${birthdate}T00:00:00Z`);
  // Born on 29 February, a player becomes older on 1 March in other years, as in `ageOn`.
  date.setUTCFullYear(date.getUTCFullYear() + adultAge);
  return date.toISOString().slice(0, 10);
}
