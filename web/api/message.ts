import { ApiError, CANNOT_REACH, CannotReach } from './client.ts';

/** Where a sentence is looked for in an answer's body: '' is the body itself, '*' its first field. */
type Place = '' | '*' | 'non_field_errors' | 'detail' | 'error' | 'date_of_birth' | 'username';

/** Spec 8, 'displayed message choice'. */
const GENERAL: Place[] = ['', 'non_field_errors', 'detail', '*'];

/** Spec 8: for each thing that can fail, where its sentence comes from, and the one of last resort. */
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
  google: [['error', 'detail'], 'Failed to complete Google sign in'],
  editProfile: [['username', 'detail'], 'An error occurred during submission'],
} as const satisfies Record<string, readonly [readonly Place[], string]>;

/** What was being done when it failed. */
export type Moment = keyof typeof CATALOGUE;

function firstSentence(value: unknown): string | null {
  const candidate: unknown = Array.isArray(value) ? value[0] : value;
  return typeof candidate === 'string' && candidate !== '' ? candidate : null;
}

function sentenceAt(body: unknown, place: Place): string | null {
  if (place === '') return typeof body === 'string' ? firstSentence(body) : null;
  if (typeof body !== 'object' || body === null) return null;
  const value: unknown =
    place === '*' ? Object.values(body)[0] : Object.entries(body).find(([k]) => k === place)?.[1];
  return firstSentence(value);
}

/** The sentence to show when `moment` failed with `error`, whatever was thrown (spec 8). */
export function messageFor(moment: Moment, error: unknown): string {
  if (error instanceof CannotReach) return CANNOT_REACH;
  const [places, lastResort] = CATALOGUE[moment];
  if (error instanceof ApiError)
    for (const place of places) {
      const sentence = sentenceAt(error.body, place);
      if (sentence !== null) return sentence;
    }
  return lastResort;
}

/** What the server says about one field, to be shown under it; null when it says nothing. */
export function fieldMessage(field: string, error: unknown): string | null {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null)
    return null;
  return firstSentence(Object.entries(error.body).find(([name]) => name === field)?.[1]);
}
