import type { PagePath } from '#contract/rules/pages.ts';
import type { CheckEmailAnswer } from '#contract/wire/accounts.ts';
import type { User } from '#contract/wire/profile.ts';
import { safePath } from '../session/openid.ts';

/** The seven steps; their order decides how they slide (PROD-10). */
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

export const QUARTERS = { email: 1, verification: 2, birthdate: 3, profile: 4 } as const;

export type Progress = Pick<User, 'profile_setup_complete' | 'date_of_birth'>;

/** The next step of onboarding; null if the profile is complete (PROD-21). */
export function onboardingStep(user: Progress): 'birthdate' | 'profile' | null {
  if (user.profile_setup_complete) return null;
  return user.date_of_birth ? 'profile' : 'birthdate';
}

/** What a step, or a page to which a provider returns, reports to the flow. */
export type Report =
  | { checked: CheckEmailAnswer; email: string }
  /** `sentAt` in milliseconds since 1970. */
  | { mailed: string; sentAt: number }
  /** The server mails no code to the address `paused` for now; `error` says so (P20a). */
  | { paused: string; error: string }
  | { user: Progress }
  | { failed: string };

/** What a step must do before it reports again. */
export type Task = 'ask-password' | 'say-exists' | 'resend' | 'register';
type Stay = { stay: Task };

/** `'app'` leaves the authentication page. After `replace`, Back does not return here. */
export type Move = { go: Step | 'app'; state?: FlowState; replace?: boolean };

/** Where to move after `step` has reported, or the task to do first (ACC-16, ACC-17, ACC-19). */
export function next(step: Step, report: Extract<Report, { checked: unknown }>): Move | Stay;
export function next(step: Step, report: Exclude<Report, { checked: unknown }>): Move;
export function next(step: Step, report: Report): Move | Stay;
export function next(step: Step, report: Report): Move | Stay {
  if ('user' in report) return { go: onboardingStep(report.user) ?? 'app', replace: true };
  if ('failed' in report) return { go: 'login', state: { error: report.failed }, replace: true };
  if ('mailed' in report) {
    const { mailed: email, sentAt } = report;
    return { go: 'verification', state: { email, sentAt } };
  }
  if ('paused' in report) {
    const { paused: email, error } = report;
    return { go: 'verification', state: { email, error } };
  }
  const { checked, email } = report;
  if (checked.exists && !checked.verified) return { stay: 'resend' };
  if (step === 'email') return { stay: checked.exists ? 'say-exists' : 'register' };
  if (!checked.exists) return { go: 'email', state: { email } };
  return checked.has_set_password
    ? { stay: 'ask-password' }
    : { go: 'reset-password', state: { email } };
}

/** The router's state on the authentication page. */
export interface FlowState {
  step?: Step;
  email?: string;
  error?: string;
  /** When a code was last mailed, in milliseconds since 1970. */
  sentAt?: number;
  /** The server may have accepted a code although its answer did not arrive. */
  mayBeVerified?: boolean;
  returnTo?: string;
}

/** The valid fields of the router's state, which an older build may have set. */
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
  const returnTo = text('returnTo');
  const sentAt = given.get('sentAt');
  return {
    ...(step && { step }),
    ...(email && { email }),
    ...(error && { error }),
    ...(returnTo && { returnTo: safePath(returnTo) }),
    ...(typeof sentAt === 'number' && { sentAt }),
    ...(given.get('mayBeVerified') === true && { mayBeVerified: true }),
  };
}

/** The part of the session that decides the step. */
export type Visitor = {
  user: (Progress & Pick<User, 'email'>) | null;
  hasAccess: boolean;
};

/**
 * The step to show in place of a protected page; null to show the page itself, even if no user is
 * stored, because the page reads the profile.
 */
export function gateStep({ user, hasAccess }: Visitor): 'login' | 'birthdate' | 'profile' | null {
  if (!hasAccess) return 'login';
  return user && onboardingStep(user);
}

/**
 * Returns the step in `state` if its data is present, otherwise `start`, the step of the page's
 * path. `'app'` means that the player is signed in with a complete profile (PROD-22).
 */
export function stepToShow(start: Step, state: FlowState, visitor: Visitor): Step | 'app' {
  if (start === 'new-password') return start;
  const user = visitor.hasAccess ? visitor.user : null;
  if (user?.profile_setup_complete) return 'app';
  const step = state.step ?? start;
  if (step === 'new-password') return start;
  if (step === 'birthdate' || step === 'profile') return (user && onboardingStep(user)) ?? 'login';
  // The code was entered in another tab.
  if (step === 'verification' && user && user.email === state.email)
    return onboardingStep(user) ?? 'app';
  if (step === 'verification' || step === 'reset-password') return state.email ? step : start;
  return step;
}

type StepPath = Extract<PagePath, '/login' | '/signup' | '/reset-password'>;

export function pathOf(step: Step): StepPath {
  if (step === 'new-password') return '/reset-password';
  return step === 'login' || step === 'reset-password' ? '/login' : '/signup';
}

export function entryOf(step: Step, state: FlowState = {}): { to: StepPath; state: FlowState } {
  return { to: pathOf(step), state: { step, ...state } };
}

export function isQuarter(step: Step | 'app'): step is keyof typeof QUARTERS {
  return step in QUARTERS;
}

export interface FlowCard {
  /** `'app'` while there is no step to show. */
  step: Step | 'app';
  state: FlowState;
  email: string;
  back: boolean;
  slides: number;
  /** How often the net has swished: once for each finished quarter (LOOK-31). */
  swishes: number;
}

export function firstCard(step: Step | 'app', state: FlowState): FlowCard {
  return { step, state, email: state.email ?? '', back: false, slides: 0, swishes: 0 };
}

/** The card after a slide to `step`. For `'app'` the card does not change. */
export function slideTo(card: FlowCard, step: Step | 'app', state: FlowState): FlowCard {
  if (step === 'app') return card;
  const given = state === card.state ? undefined : state.email;
  const here = { ...card, state, email: given ?? card.email };
  if (step === card.step) return here;
  const back = card.step !== 'app' && isBack(card.step, step);
  const isQuarterDone = !back && isQuarter(card.step) && isQuarter(step);
  return {
    ...here,
    step,
    back,
    slides: card.slides + 1,
    swishes: card.swishes + (isQuarterDone ? 1 : 0),
  };
}

export function isBack(from: Step, to: Step): boolean {
  return STEPS.indexOf(to) < STEPS.indexOf(from);
}
