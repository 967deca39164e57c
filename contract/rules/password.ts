/** The shortest password, in code points (P11). */
export const PASSWORD_MIN = 8;

/** Longer passwords are refused, not truncated (P11). */
export const PASSWORD_MAX = 128;
export const PASSWORD_MAX_BYTES = 512;

export const PASSWORD_HINT = 'At least 8 characters';
export const PASSWORD_REQUIRED = 'Password is required';
export const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters long';
export const PASSWORD_TOO_LONG = 'Password must be at most 128 characters long';

/** Without a password, no provider can be removed (P29c). */
export const CHOOSE_PASSWORD_FIRST =
  'Choose a password in Edit Profile first, so that you can still sign in.';
export const PASSWORDS_DIFFER = 'Passwords do not match';

/** A password as measured and hashed: NFC, not trimmed (P11). */
export function normalisePassword(password: string): string {
  return password.normalize('NFC');
}

/** What is wrong with a new password's length, or null (ACC-07, P11). */
export function passwordProblem(password: string): string | null {
  const normal = normalisePassword(password);
  const length = [...normal].length;
  if (length < PASSWORD_MIN) return PASSWORD_TOO_SHORT;
  if (length > PASSWORD_MAX || new TextEncoder().encode(normal).length > PASSWORD_MAX_BYTES)
    return PASSWORD_TOO_LONG;
  return null;
}
