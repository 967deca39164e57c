import type { ReactNode } from 'react';
import {
  lazy,
  Suspense,
  startTransition,
  useLayoutEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { Link, Redirect, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { Board, Quarters } from '../ui/Board.tsx';
import { titled } from '../ui/brand.ts';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { Slide } from '../ui/Slide.tsx';
import styles from './AuthFlow.module.css';
import { EmailStep } from './EmailStep.tsx';
import { type Flow, FlowContext, move } from './flow.ts';
import { LoginStep } from './LoginStep.tsx';
import { later } from './later.ts';
import {
  type FlowCard,
  type FlowState,
  firstCard,
  HEADINGS,
  isQuarter,
  next,
  QUARTERS,
  readFlowState,
  type Step,
  slideTo,
  stepToShow,
  type Visitor,
} from './steps.ts';

const VerificationStep = lazy(() => later().then((m) => ({ default: m.VerificationStep })));
const BirthdateStep = lazy(() => later().then((m) => ({ default: m.BirthdateStep })));
const ResetRequestStep = lazy(() => later().then((m) => ({ default: m.ResetRequestStep })));
const NewPasswordStep = lazy(() => later().then((m) => ({ default: m.NewPasswordStep })));
const ProfileStep = lazy(() =>
  import('./ProfileStep.tsx').then((m) => ({ default: m.ProfileStep })),
);

const CONTENT: Record<Step, () => ReactNode> = {
  login: () => <LoginStep />,
  'reset-password': () => <ResetRequestStep />,
  'new-password': () => <NewPasswordStep />,
  email: () => <EmailStep />,
  verification: () => <VerificationStep />,
  birthdate: () => <BirthdateStep />,
  profile: () => <ProfileStep />,
};

type Change = { email: string } | { step: Step | 'app'; state: FlowState };

function changeCard(card: FlowCard, change: Change): FlowCard {
  return 'step' in change ? slideTo(card, change.step, change.state) : { ...card, ...change };
}

const ANONYMOUS: Visitor = { user: null, hasAccess: false };

type AuthFlowProps = {
  start: Step;
  /** Does not redirect a signed-in player, because the caller does. */
  stays?: boolean;
  /** Where the last step leads, unless the router's state has a `returnTo`. */
  returnTo?: string;
};

/**
 * The authentication page: one card with seven steps (PROD-10). Redirects a player with a
 * complete profile (PROD-22).
 */
export function AuthFlow({ start, stays = false, returnTo = '/profile' }: AuthFlowProps) {
  const { user, hasAccess } = useAuth();
  const { loading } = useLoading();
  const location = useLocation();
  const state = useMemo(() => readFlowState(location.state), [location.state]);
  const step = stepToShow(start, state, stays ? ANONYMOUS : { user, hasAccess });
  const home = state.returnTo ?? returnTo;

  const [card, change] = useReducer(changeCard, null, () => firstCard(step, state));
  useLayoutEffect(() => {
    if (step === card.step && state === card.state) return;
    // React does not animate a transition that starts in a popstate event. The timeout starts it
    // after the event, so that Back slides too (LOOK-30).
    const timer = setTimeout(() => startTransition(() => change({ step, state })));
    return () => clearTimeout(timer);
  }, [step, state, card.step, card.state]);
  // After navigation within the app, the heading takes the focus.
  const [arrived] = useState(!location.loaded);

  // Keep the card until the profile's JavaScript has loaded.
  const leave = step === 'app' && <Redirect to={home} />;
  const { step: shown } = card;
  if (shown === 'app') return leave;

  const flow: Flow = {
    email: card.email,
    setEmail: (email) => change({ email }),
    state: card.state,
    home,
    slidIn: arrived || card.slides > 0,
    report(what) {
      const then = next(shown, what);
      if ('stay' in then) return then.stay;
      move(then, home);
      return null;
    },
  };

  return (
    <Page>
      {leave}
      <title>{titled(HEADINGS[shown])}</title>
      <Column
        className={styles.auth}
        aria-busy={loading || undefined}
        // Load the later steps when a field or link gets the focus.
        onFocus={() => void later().catch(() => {})}
      >
        <div className={styles.logo}>
          <Link to="/">
            <Wordmark height={40} />
          </Link>
        </div>
        <Board swishes={card.swishes}>
          <Slide
            id={shown}
            back={card.back}
            above={isQuarter(shown) && <Quarters now={QUARTERS[shown]} />}
          >
            <FlowContext value={flow}>
              <Suspense>{CONTENT[shown]()}</Suspense>
            </FlowContext>
          </Slide>
        </Board>
      </Column>
    </Page>
  );
}
