import { describe, expect, it } from 'vitest';
import type { CheckEmailAnswer } from '#contract/accounts.ts';
import {
  isBack,
  next,
  onboardingStep,
  type Progress,
  readFlowState,
  type Step,
  stepToShow,
} from './steps.ts';

const unknown: CheckEmailAnswer = {
  exists: false,
  verified: false,
  has_set_password: false,
  profile_setup_complete: false,
};
const unverified = { ...unknown, exists: true };
const withoutPassword = { ...unverified, verified: true };
const withPassword = { ...withoutPassword, has_set_password: true };

const noBirthdate: Progress = { profile_setup_complete: false, date_of_birth: null };
const noName: Progress = { profile_setup_complete: false, date_of_birth: '2004-09-14' };
const complete: Progress = { profile_setup_complete: true, date_of_birth: '2004-09-14' };

describe('after an e-mail check', () => {
  const cases: [step: Step, name: string, answer: CheckEmailAnswer, then: object][] = [
    ['login', 'unknown', unknown, { go: 'email' }],
    ['login', 'unverified', unverified, { go: 'verification', first: 'resend' }],
    ['login', 'without a password', withoutPassword, { go: 'reset-password' }],
    ['login', 'with a password', withPassword, { stay: 'password' }],
    ['email', 'unknown', unknown, { go: 'verification', first: 'register' }],
    ['email', 'unverified', unverified, { go: 'verification', first: 'resend' }],
    ['email', 'without a password', withoutPassword, { stay: 'exists' }],
    ['email', 'with a password', withPassword, { stay: 'exists' }],
  ];
  it.each(cases)('at %s, %s', (step, _name, checked, then) => {
    expect(next(step, { checked })).toEqual(then);
  });
});

describe('after anything that leaves somebody signed in', () => {
  const cases: [step: Step, name: string, user: Progress, then: object][] = [
    ['login', 'complete', complete, { go: 'app' }],
    ['login', 'without a birth date', noBirthdate, { go: 'birthdate' }],
    ['login', 'with a birth date only', noName, { go: 'profile' }],
    ['verification', 'new', noBirthdate, { go: 'birthdate' }],
    ['new-password', 'complete', complete, { go: 'app' }],
    ['new-password', 'without a birth date', noBirthdate, { go: 'birthdate' }],
    ['birthdate', 'saved', noName, { go: 'profile' }],
    ['profile', 'saved', complete, { go: 'app' }],
  ];
  it.each(cases)('at %s, %s', (step, _name, user, then) => {
    expect(next(step, { user })).toEqual(then);
  });
});

it.each([
  ['nothing', noBirthdate, 'birthdate'],
  ['the birth date', noName, 'profile'],
  ['everything', complete, null],
] as const)('onboarding of somebody who gave %s', (_name, user, step) => {
  expect(onboardingStep(user)).toBe(step);
});

describe('the step at an address', () => {
  const nobody = { user: null, hasAccess: false };
  const email = 'maya@example.com';
  const signedIn = (user: typeof complete | typeof noName | typeof noBirthdate) => ({
    user: { ...user, email },
    hasAccess: true,
  });
  const cases: [
    name: string,
    start: Step,
    state: Parameters<typeof stepToShow>[1],
    session: Parameters<typeof stepToShow>[2],
    shown: Step | 'app',
  ][] = [
    ['its own', 'login', {}, nobody, 'login'],
    ['what the state asks for', 'email', { step: 'verification', email }, nobody, 'verification'],
    ['verification of nobody', 'email', { step: 'verification' }, nobody, 'email'],
    ['a reset for nobody', 'login', { step: 'reset-password' }, nobody, 'login'],
    ['a reset', 'login', { step: 'reset-password', email }, nobody, 'reset-password'],
    ['a new password without its link', 'login', { step: 'new-password' }, nobody, 'login'],
    ['onboarding, signed out', 'email', { step: 'birthdate' }, nobody, 'login'],
    ['onboarding', 'email', { step: 'birthdate' }, signedIn(noBirthdate), 'birthdate'],
    [
      'onboarding continues after a reload',
      'email',
      { step: 'birthdate' },
      signedIn(noName),
      'profile',
    ],
    ['the gate', 'profile', {}, signedIn(noName), 'profile'],
    ['login, signed in and complete', 'login', {}, signedIn(complete), 'app'],
    ['login, signed in but incomplete', 'login', {}, signedIn(noName), 'login'],
    [
      'a code that another tab has used',
      'email',
      { step: 'verification', email },
      signedIn(noBirthdate),
      'birthdate',
    ],
    [
      'the code of another address',
      'email',
      { step: 'verification', email: 'noor@example.com' },
      signedIn(noBirthdate),
      'verification',
    ],
    ['a user without a token', 'login', {}, { ...signedIn(complete), hasAccess: false }, 'login'],
    ['a reset link, signed in', 'new-password', {}, signedIn(complete), 'new-password'],
  ];
  it.each(cases)('%s', (_name, start, state, session, shown) => {
    expect(stepToShow(start, state, session)).toBe(shown);
  });
});

it.each([
  ['login', 'email', false],
  ['email', 'login', true],
  ['email', 'verification', false],
  ['verification', 'email', true],
  ['verification', 'birthdate', false],
  ['birthdate', 'profile', false],
  ['birthdate', 'login', true],
  ['login', 'reset-password', false],
  ['reset-password', 'login', true],
] as const)('from %s to %s slides back: %s', (from, to, back) => {
  expect(isBack(from, to)).toBe(back);
});

describe('the router’s state', () => {
  it('is believed field by field', () => {
    expect(
      readFlowState({ step: 'email', email: 'a@b.cd', sentAt: 5, token: 't', error: 'no', x: 1 }),
    ).toEqual({ step: 'email', email: 'a@b.cd', sentAt: 5, token: 't', error: 'no' });
  });
  it('returns to this site alone', () => {
    expect(readFlowState({ returnTo: '/account' })).toEqual({ returnTo: '/account' });
    expect(readFlowState({ returnTo: '//evil.example' })).toEqual({ returnTo: '/profile' });
  });
  it.each([
    ['nothing', null],
    ['a word', 'login'],
    ['a step that does not exist', { step: 'admin' }],
    ['fields of another kind', { step: 3, email: {}, sentAt: 'soon', token: null }],
  ])('%s is nothing', (_name, state) => {
    expect(readFlowState(state)).toEqual({});
  });
});
