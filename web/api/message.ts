import { ApiError, Told } from './client.ts';

/** The body's field with the sentence: '' is the body itself, '*' its first field. */
type Source = '' | '*' | 'non_field_errors' | 'detail' | 'error' | 'date_of_birth' | 'username';

/** The sources for most actions (PROD-60). */
const GENERAL: Source[] = ['', 'non_field_errors', 'detail', '*'];

/**
 * For each action, the sources in order, and the sentence for a body that has none (PROD-62 to
 * PROD-68).
 */
const CATALOGUE = {
  anything: [GENERAL, 'An unexpected error occurred. Please try again.'],
  login: [GENERAL, 'Login failed. Please try again.'],
  loginCheckEmail: [GENERAL, 'Unable to check email. Please try again.'],
  loginResend: [GENERAL, 'Failed to send verification email. Please try again.'],
  signUpCheckEmail: [GENERAL, 'Failed to process email. Please try again.'],
  signUpResend: [GENERAL, 'An error occurred. Please try again.'],
  register: [GENERAL, 'Registration failed. Please try again.'],
  verification: [['detail'], 'Verification failed'],
  resend: [['detail'], 'Failed to resend verification code'],
  birthdate: [['date_of_birth', 'detail'], 'Failed to save date of birth. Please try again.'],
  profileSetup: [['detail'], 'Profile setup failed. Please try again.'],
  resetRequest: [['detail'], 'Failed to send reset instructions'],
  reset: [['detail'], 'Failed to reset password'],
  provider: [['error', 'detail'], 'Failed to complete NAME sign in'],
  editProfile: [['username', 'detail'], 'An error occurred during submission'],
} as const satisfies Record<string, readonly [readonly Source[], string]>;

export type Action = keyof typeof CATALOGUE;

function firstSentence(value: unknown): string | null {
  const candidate: unknown = Array.isArray(value) ? value[0] : value;
  return typeof candidate === 'string' && candidate !== '' ? candidate : null;
}

function sentenceAt(body: unknown, source: Source): string | null {
  if (source === '') return typeof body === 'string' ? firstSentence(body) : null;
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown =
    source === '*' ? Object.values(body)[0] : Object.entries(body).find(([k]) => k === source)?.[1];
  return firstSentence(value);
}

/**
 * The sentence to show when `action` failed. `error` may be any thrown value. `name` is the
 * provider, for the action `provider`.
 */
export function messageFor(action: Action, error: unknown, name = 'Google'): string {
  if (error instanceof Told) return error.message;
  const [sources, lastResort] = CATALOGUE[action];
  if (error instanceof ApiError)
    for (const source of sources) {
      const sentence = sentenceAt(error.body, source);
      if (sentence !== null) return sentence;
    }
  return lastResort.replace('NAME', () => name);
}

/** The server's message about a field, to show under it (PROD-61), or null. */
export function fieldMessage(field: string, error: unknown): string | null {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null)
    return null;
  return firstSentence(Object.entries(error.body).find(([name]) => name === field)?.[1]);
}
