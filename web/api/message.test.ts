import { describe, expect, it } from 'vitest';
import { ApiError, CANNOT_REACH, CannotReach } from './client.ts';
import { type Action, fieldMessage, messageFor } from './message.ts';

const refused = (body: unknown, status = 400) => new ApiError('refused', status, body);
const UNEXPECTED = 'An unexpected error occurred. Please try again.';

describe('the sentence for a failed action', () => {
  const cases: [name: string, action: Action, body: unknown, shown: string][] = [
    ['a plain string', 'anything', 'Just this.', 'Just this.'],
    [
      'non_field_errors before detail',
      'anything',
      { detail: 'b', non_field_errors: ['a', 'c'] },
      'a',
    ],
    ['detail before fields', 'anything', { email: ['c'], detail: 'b' }, 'b'],
    ['the first message of the first field', 'anything', { email: ['c', 'd'], code: ['e'] }, 'c'],
    ['a field that is a plain string', 'anything', { email: 'c' }, 'c'],
    ['an empty body', 'anything', {}, UNEXPECTED],
    ['no body', 'anything', undefined, UNEXPECTED],
    ['an empty list', 'anything', { email: [] }, UNEXPECTED],
    ['an empty sentence', 'anything', { detail: '' }, UNEXPECTED],
    ['a body of another kind', 'anything', { email: [{ deep: true }] }, UNEXPECTED],
    ['a list', 'anything', [], UNEXPECTED],

    [
      'login, wrong password',
      'login',
      { non_field_errors: ['Invalid email or password.'] },
      'Invalid email or password.',
    ],
    ['login', 'login', {}, 'Login failed. Please try again.'],
    ['e-mail check', 'loginCheckEmail', {}, 'Unable to check email. Please try again.'],
    ['resend at login', 'loginResend', {}, 'Failed to send verification email. Please try again.'],
    ['sign-up, check', 'signUpCheckEmail', {}, 'Failed to process email. Please try again.'],
    ['sign-up, resend', 'signUpResend', {}, 'An error occurred. Please try again.'],
    ['registration', 'register', {}, 'Registration failed. Please try again.'],
    ['registration, a field', 'register', { email: ['Taken.'] }, 'Taken.'],
    ['verification, detail', 'verification', { detail: 'Too late.' }, 'Too late.'],
    ['verification, a field', 'verification', { code: ['Six digits'] }, 'Verification failed'],
    ['resend', 'resend', {}, 'Failed to resend verification code'],
    ['resend, detail', 'resend', { detail: 'Wait.' }, 'Wait.'],
    [
      'birth date, field before detail',
      'birthdate',
      { detail: 'b', date_of_birth: ['Too young.'] },
      'Too young.',
    ],
    ['birth date, detail', 'birthdate', { detail: 'b' }, 'b'],
    ['birth date', 'birthdate', {}, 'Failed to save date of birth. Please try again.'],
    ['profile setup, detail', 'profileSetup', { detail: 'b' }, 'b'],
    ['profile setup', 'profileSetup', {}, 'Profile setup failed. Please try again.'],
    ['reset request', 'resetRequest', {}, 'Failed to send reset instructions'],
    ['reset request, detail', 'resetRequest', { detail: 'b' }, 'b'],
    ['reset', 'reset', {}, 'Failed to reset password'],
    ['reset, detail', 'reset', { detail: 'Expired.' }, 'Expired.'],
    ['Google, error before detail', 'provider', { detail: 'b', error: 'a' }, 'a'],
    ['Google, detail', 'provider', { detail: 'b' }, 'b'],
    ['Google', 'provider', {}, 'Failed to complete Google sign in'],
    ['edit, username before detail', 'editProfile', { detail: 'b', username: ['a'] }, 'a'],
    ['edit, detail', 'editProfile', { detail: 'b' }, 'b'],
    ['edit', 'editProfile', { avatar_color: ['c'] }, 'An error occurred during submission'],
  ];
  it.each(cases)('%s', (_name, action, body, shown) => {
    expect(messageFor(action, refused(body))).toBe(shown);
  });

  it('the sentence names the provider that was used', () => {
    expect(messageFor('provider', refused({}), 'Acme $& ID')).toBe(
      'Failed to complete Acme $& ID sign in',
    );
  });

  it('the sentence does not depend on the action when no response came', () => {
    expect(messageFor('login', new CannotReach())).toBe(CANNOT_REACH);
    expect(messageFor('verification', new CannotReach())).toBe(CANNOT_REACH);
  });

  it('hides the text of an unexpected exception', () => {
    expect(messageFor('login', new TypeError('x is undefined'))).toBe(
      'Login failed. Please try again.',
    );
  });
});

it.each([
  ['its first message', { username: ['Taken.', 'Short.'] }, 'Taken.'],
  ['none', { password: ['Short.'] }, null],
  ['no body', undefined, null],
  ['inherited names', {}, null],
])('the message of one field: %s', (_name, body, shown) => {
  expect(fieldMessage('username', refused(body))).toBe(shown);
  expect(fieldMessage('toString', refused(body))).toBeNull();
});
