/** ACC-08. */
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 30;
export const USERNAME_INPUT_MAX = 11;

export const USERNAME_REQUIRED = 'Username is required';
export const USERNAME_TOO_SHORT = 'Username must be at least 3 characters long';
export const USERNAME_INAPPROPRIATE = 'Username contains inappropriate content';
export const USERNAME_CHARACTERS =
  'Username can only contain letters, numbers, underscores and hyphens';
export const USERNAME_TOO_LONG = 'Username must be at most 30 characters long';
export const USERNAME_TAKEN = 'This username is already taken.';
export const USERNAME_UNAVAILABLE = 'This username is not available.';

/** Keeps letters, digits, `_` and `-`, at most 30 (ACC-08). */
export function cleanUsername(typed: string): string {
  return typed.replace(/[^A-Za-z0-9_-]/g, '').slice(0, USERNAME_MAX);
}

/**
 * What is wrong with a username's form, or null (ACC-08). profanity.ts is a separate file because
 * of its word list.
 */
export function usernameProblem(username: string): string | null {
  if (username === '') return USERNAME_REQUIRED;
  if (username !== username.replace(/[^A-Za-z0-9_-]/g, '')) return USERNAME_CHARACTERS;
  if (username.length < USERNAME_MIN) return USERNAME_TOO_SHORT;
  if (username.length > USERNAME_MAX) return USERNAME_TOO_LONG;
  return null;
}
