import { latinDigits } from './digits.ts';

/** The length of a username (ACC-08). */
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const USERNAME_INPUT_MAX = 11;

export const USERNAME_REQUIRED = 'Username is required';
export const USERNAME_TOO_SHORT = 'Username must be at least 3 characters long';
export const USERNAME_INAPPROPRIATE =
  'Username contains inappropriate content. If it is your name, use a short form of it, or your initials.';
export const USERNAME_CHARACTERS =
  'Username can only contain letters, numbers, underscores and hyphens';
export const USERNAME_TOO_LONG = 'Username must be at most 30 characters long';
export const USERNAME_TAKEN = 'This username is already taken.';
export const USERNAME_UNAVAILABLE = 'This username is not available.';

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd' },
  ...{ Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ı: 'i', ħ: 'h', Ħ: 'H', ŋ: 'n', ŧ: 't' },
};
const DROPPED = /[^A-Za-z0-9_-]/g;

/** Without accents: José is Jose (ACC-70). Digits of every script are 0 to 9. */
const folded = (typed: string): string =>
  latinDigits(typed)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/g, (letter) => PLAIN[letter] ?? letter);

/** Keeps letters, without their accents, digits, `_` and `-`, at most 30 (ACC-08, ACC-70). */
export function cleanUsername(typed: string): string {
  return folded(typed).replace(DROPPED, '').slice(0, USERNAME_MAX);
}

/** What `cleanUsername` leaves out of a typed text, in words; null if nothing (ACC-70). */
export function leftOut(typed: string): string | null {
  const signs = [...new Set(folded(typed).match(/[^A-Za-z0-9_-]/gu))];
  if (signs.length === 0) return null;
  const named = signs.map((sign) => (/\s/.test(sign) ? 'a blank' : `“${sign}”`));
  return `Left out: ${[...new Set(named)].join(', ')}. ${USERNAME_CHARACTERS}.`;
}

/**
 * What is wrong with a username's form, or null (ACC-08). profanity.ts is a separate file because
 * of its word list.
 */
export function usernameProblem(username: string): string | null {
  if (username === '') return USERNAME_REQUIRED;
  if (username !== username.replace(DROPPED, '')) return USERNAME_CHARACTERS;
  if (username.length < USERNAME_MIN) return USERNAME_TOO_SHORT;
  if (username.length > USERNAME_MAX) return USERNAME_TOO_LONG;
  return null;
}
