import type { CheckEmailAnswer } from '#contract/accounts.ts';
import type { User } from '#contract/profile.ts';
import { safePath } from '../session/google.ts';

/** The seven steps of the one authentication screen (spec 2), in the order in which they slide. */
export const STEPS = [
  'login',
  'reset-password',
  'new-password',
  'email',
  'verification',
  'birthdate',
  'profile',
] as const;
export type Step = (typeof STEPS)[number];

export const HEADINGS: Record<Step, string> = {
  login: 'Login',
  'reset-password': 'Reset password',
  'new-password': 'New password',
  email: 'Create account',
  verification: 'Verification',
  birthdate: 'Birthdate',
  profile: 'Profile setup',
};

/** The four quarters of sign-up; the other steps show none. */
export const QUARTERS = { email: 1, verification: 2, birthdate: 3, profile: 4 } as const;

/** What the choice of a step looks at in a user. */
export type Progress = Pick<User, 'profile_setup_complete' | 'date_of_birth'>;

/** What onboarding still lacks; null when it is finished (spec 2, 'Onboarding'). */
export function onboardingStep(user: Progress): 'birthdate' | 'profile' | null {
  if (user.profile_setup_complete) return null;
  return user.date_of_birth ? 'profile' : 'birthdate';
}

/** An e-mail check has been answered. */
type Checked = { checked: CheckEmailAnswer };
/** Somebody is signed in now, or has just changed their profile. */
type Entered = { user: Progress };

/** A step to slide to, and what has to be mailed first. */
type Onward = { go: Step; first?: 'resend' | 'register' };
/** The step stays, and asks for the password or says that the account exists. */
type Stay = { stay: 'password' | 'exists' };

/** Which step follows `step` (spec 4). `'app'` is the profile page. */
export function next(step: Step, outcome: Checked): Onward | Stay;
export function next(step: Step, outcome: Entered): { go: Step | 'app' };
export function next(step: Step, outcome: Checked | Entered): Onward | Stay | { go: 'app' } {
  if ('user' in outcome) return { go: onboardingStep(outcome.user) ?? 'app' };
  const { exists, verified, has_set_password } = outcome.checked;
  if (exists && !verified) return { go: 'verification', first: 'resend' };
  if (step === 'email')
    return exists ? { stay: 'exists' } : { go: 'verification', first: 'register' };
  if (!exists) return { go: 'email' };
  return has_set_password ? { stay: 'password' } : { go: 'reset-password' };
}

/** What the router's state may carry to the authentication screen (spec 2). */
export interface FlowState {
  step?: Step;
  email?: string;
  /** Why the player is back at the login step. */
  error?: string;
  /** When a code was last mailed, in milliseconds since 1970. */
  sentAt?: number;
  /** The secret of a reset link, taken out of the address bar. */
  token?: string;
  /** Where signing in leads; the profile without it. */
  returnTo?: string;
}

/** The router's state, believed field by field: it outlives reloads and new versions. */
export function readFlowState(state: unknown): FlowState {
  if (typeof state !== 'object' || state === null) return {};
  const given = new Map<string, unknown>(Object.entries(state));
  const text = (key: string) => {
    const value = given.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const step = STEPS.find((known) => known === given.get('step'));
  const email = text('email');
  const error = text('error');
  const token = text('token');
  const returnTo = text('returnTo');
  const sentAt = given.get('sentAt');
  return {
    ...(step && { step }),
    ...(email && { email }),
    ...(error && { error }),
    ...(token && { token }),
    ...(returnTo && { returnTo: safePath(returnTo) }),
    ...(typeof sentAt === 'number' && { sentAt }),
  };
}

/**
 * The step to show at an address whose own step is `start`: what the router's state asks for, if
 * what that step needs is there. `'app'`: somebody is signed in and set up (contract 1).
 */
export function stepToShow(
  start: Step,
  state: FlowState,
  session: { user: (Progress & Pick<User, 'email'>) | null; hasAccess: boolean },
): Step | 'app' {
  if (start === 'new-password') return start;
  const user = session.hasAccess ? session.user : null;
  if (user?.profile_setup_complete) return 'app';
  const step = state.step ?? start;
  if (step === 'new-password') return start;
  if (step === 'birthdate' || step === 'profile') return (user && onboardingStep(user)) ?? 'login';
  // Another tab has used the code.
  if (step === 'verification' && user && user.email === state.email)
    return onboardingStep(user) ?? 'app';
  if (step === 'verification' || step === 'reset-password') return state.email ? step : start;
  return step;
}

/** The address under which a step stands in the browser's history. */
export function pathOf(step: Step): '/login' | '/signup' | '/reset-password' {
  if (step === 'new-password') return '/reset-password';
  return step === 'login' || step === 'reset-password' ? '/login' : '/signup';
}

/** Whether going `from` one step `to` another slides backwards. */
export function isBack(from: Step, to: Step): boolean {
  return STEPS.indexOf(to) < STEPS.indexOf(from);
}
