/** The digits of a verification code (P20). */
export const CODE_LENGTH = 6;

/** The least time between two codes (P22). */
export const RESEND_COOLDOWN_S = 60;

/** The longest address (ACC-01, P26). */
export const EMAIL_MAX = 254;
export const EMAIL_INVALID = 'Enter a valid email address.';

/** The error for an address that already has an account (PROD-63). */
export const EMAIL_EXISTS =
  'An account with this email already exists. Click "Sign in" above to sign in.';

const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * The stored form: trimmed, with ASCII letters in lower case. Unicode's lower case would turn some
 * other letters into ASCII (P26).
 */
export function canonicalEmail(typed: string): string {
  return typed.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether a canonical address can get mail: ASCII, one `@`, no quotes (P26). */
export function isEmail(canonical: string): boolean {
  if (canonical.length > EMAIL_MAX) return false;
  const [local, domain, ...rest] = canonical.split('@');
  return (
    local !== undefined &&
    domain !== undefined &&
    rest.length === 0 &&
    local.length <= 64 &&
    LOCAL.test(local) &&
    DOMAIN.test(domain)
  );
}
