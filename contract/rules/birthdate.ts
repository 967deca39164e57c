/** How many years back the form offers (ACC-11). */
export const BIRTH_YEARS = 110;
export const MIN_AGE_DEFAULT = 13;
export const BIRTHDATE_REQUIRED = 'Date of birth is required';
export const BIRTHDATE_INVALID = 'Enter a valid date.';

/** The error for a player below the minimum age (ACC-12). */
export function tooYoungMessage(age: number, brand: string): string {
  return `You must be at least ${age} years old to use ${brand}.`;
}

/** The error for any date typed while an account is locked because of age (P30c). */
export function lockedMessage(supportEmail: string): string {
  return `The date of birth of this account cannot be entered now. If you chose a wrong one, write to ${supportEmail}.`;
}

/** The days of a month (1–12) in the form; 29 for February (ACC-11). */
export function daysInMonth(month: number): number {
  if (month === 2) return 29;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function birthYears(today: Date): number[] {
  return Array.from({ length: BIRTH_YEARS + 1 }, (_, back) => today.getFullYear() - back);
}

/** Formats a date as `YYYY-MM-DD`. */
export function formatBirthdate(year: number, month: number, day: number): string {
  return [
    String(year).padStart(4, '0'),
    String(month).padStart(2, '0'),
    String(day).padStart(2, '0'),
  ].join('-');
}

/** Whether `text` is a real date `YYYY-MM-DD`. */
export function isRealDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

const FURTHEST_AHEAD_MS = 14 * 3_600_000;

/**
 * Today's date (`YYYY-MM-DD`) in the time zone furthest ahead, so that no time zone delays a
 * birthday (ACC-12).
 */
export function latestDate(now: Date): string {
  return new Date(now.getTime() + FURTHEST_AHEAD_MS).toISOString().slice(0, 10);
}

/** The age in whole years on the `latestDate` of `at`. `birthdate` is `YYYY-MM-DD`. */
export function ageOn(birthdate: string, at: Date): number {
  const now = latestDate(at);
  const years = Number(now.slice(0, 4)) - Number(birthdate.slice(0, 4));
  return now.slice(5) < birthdate.slice(5) ? years - 1 : years;
}
