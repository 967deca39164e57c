import { describe, expect, it } from 'vitest';
import type { CheckEmailAnswer } from '#contract/wire/accounts.ts';
import {
  firstCard,
  gateStep,
  isBack,
  next,
  onboardingStep,
  type Progress,
  readFlowState,
  type Step,
  slideTo,
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
  const email = 'maya@example.com';
  const cases: [step: Step, name: string, answer: CheckEmailAnswer, then: object][] = [
    ['login', 'unknown', unknown, { go: 'email', state: { email } }],
    ['login', 'unverified', unverified, { stay: 'resend' }],
    ['login', 'without a password', withoutPassword, { go: 'reset-password', state: { email } }],
    ['login', 'with a password', withPassword, { stay: 'ask-password' }],
    ['email', 'unknown', unknown, { stay: 'register' }],
    ['email', 'unverified', unverified, { stay: 'resend' }],
    ['email', 'without a password', withoutPassword, { stay: 'say-exists' }],
    ['email', 'with a password', withPassword, { stay: 'say-exists' }],
  ];
  it.each(cases)('at %s, the answer “%s” decides the next step', (step, _name, checked, then) => {
    expect(next(step, { checked, email })).toEqual(then);
  });

  it.each(['login', 'email'] as const)('at %s, a mailed code leads to verification', (step) => {
    const state = { email, sentAt: 5 };
    expect(next(step, { mailed: email, sentAt: 5 })).toEqual({ go: 'verification', state });
    const paused = { go: 'verification', state: { email, error: 'Not so often.' } };
    expect(next(step, { paused: email, error: 'Not so often.' })).toEqual(paused);
  });
});

it('a failed Google sign-in leads back to login and passes the reason', () => {
  expect(next('login', { failed: 'No.' })).toEqual({
    go: 'login',
    state: { error: 'No.' },
    replace: true,
  });
});

describe('after a sign-in or a profile change', () => {
  const cases: [step: Step, name: string, user: Progress, go: Step | 'app'][] = [
    ['login', 'complete', complete, 'app'],
    ['login', 'without a birth date', noBirthdate, 'birthdate'],
    ['login', 'with a birth date only', noName, 'profile'],
    ['verification', 'new', noBirthdate, 'birthdate'],
    ['new-password', 'complete', complete, 'app'],
    ['new-password', 'without a birth date', noBirthdate, 'birthdate'],
    ['birthdate', 'saved', noName, 'profile'],
    ['profile', 'saved', complete, 'app'],
  ];
  it.each(cases)('after %s, a player (%s) goes to the next step', (step, _name, user, go) => {
    expect(next(step, { user })).toEqual({ go, replace: true });
  });
});

it.each([
  ['no access token', complete, false, 'login'],
  ['nothing stored', null, true, null],
  ['no birth date', noBirthdate, true, 'birthdate'],
  ['no name', noName, true, 'profile'],
  ['everything', complete, true, null],
] as const)(
  'a player with %s sees the protected page, or the step that is missing',
  (_name, progress, hasAccess, step) => {
    const user = progress && { ...progress, email: 'maya@example.com' };
    expect(gateStep({ user, hasAccess })).toBe(step);
  },
);

it.each([
  ['nothing', noBirthdate, 'birthdate'],
  ['the birth date', noName, 'profile'],
  ['everything', complete, null],
] as const)('after giving %s, a player goes on to the missing step', (_name, user, step) => {
  expect(onboardingStep(user)).toBe(step);
});

describe('the step at an address', () => {
  const anonymous = { user: null, hasAccess: false };
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
    ['its own', 'login', {}, anonymous, 'login'],
    ['the step of the state', 'email', { step: 'verification', email }, anonymous, 'verification'],
    ['verification without an address', 'email', { step: 'verification' }, anonymous, 'email'],
    ['a reset without an address', 'login', { step: 'reset-password' }, anonymous, 'login'],
    ['a reset', 'login', { step: 'reset-password', email }, anonymous, 'reset-password'],
    ['a new password without its link', 'login', { step: 'new-password' }, anonymous, 'login'],
    ['onboarding, signed out', 'email', { step: 'birthdate' }, anonymous, 'login'],
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
] as const)('the slide from %s to %s goes back: %s', (from, to, back) => {
  expect(isBack(from, to)).toBe(back);
});

describe('the card', () => {
  const email = 'maya@example.com';
  const first = firstCard('email', { email });

  it('swishes the net once for each finished quarter of the sign-up, and at no other time', () => {
    const verification = slideTo(first, 'verification', { email });
    expect(verification).toMatchObject({ back: false, slides: 1, swishes: 1 });
    const back = slideTo(verification, 'email', { email });
    expect(back).toMatchObject({ back: true, slides: 2, swishes: 1 });
    expect(slideTo(back, 'login', {})).toMatchObject({ back: true, slides: 3, swishes: 1 });
  });

  it('keeps the typed address until the router’s state has another address', () => {
    const typed = { ...first, email: 'maya' };
    expect(slideTo(typed, 'login', {}).email).toBe('maya');
    expect(slideTo(typed, 'login', first.state).email).toBe('maya');
    expect(slideTo(typed, 'login', { email: 'noor@example.com' }).email).toBe('noor@example.com');
  });

  it('does not change when the player leaves for the app', () => {
    expect(slideTo(first, 'app', {})).toBe(first);
    expect(slideTo(firstCard('app', {}), 'login', {})).toMatchObject({ back: false, slides: 1 });
  });
});

describe('the router’s state', () => {
  it('is checked field by field', () => {
    expect(
      readFlowState({ step: 'email', email: 'a@b.cd', sentAt: 5, token: 't', error: 'no', x: 1 }),
    ).toEqual({ step: 'email', email: 'a@b.cd', sentAt: 5, error: 'no' });
    expect(readFlowState({ mayBeVerified: true })).toEqual({ mayBeVerified: true });
    expect(readFlowState({ mayBeVerified: 'yes' })).toEqual({});
  });
  it('accepts only a return path of this site', () => {
    expect(readFlowState({ returnTo: '/account' })).toEqual({ returnTo: '/account' });
    expect(readFlowState({ returnTo: '//evil.example' })).toEqual({ returnTo: '/profile' });
  });
  it.each([
    ['nothing', null],
    ['a word', 'login'],
    ['a step that does not exist', { step: 'admin' }],
    ['fields of another kind', { step: 3, email: {}, sentAt: 'soon', token: null }],
  ])('%s is ignored', (_name, state) => {
    expect(readFlowState(state)).toEqual({});
  });
});
