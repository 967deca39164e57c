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
import { Link, Redirect, usePlace } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { Board, Quarters } from '../ui/Board.tsx';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { Slide } from '../ui/Slide.tsx';
import styles from './AuthFlow.module.css';
import { EmailStep } from './EmailStep.tsx';
import { type Flow, FlowContext, move } from './flow.ts';
import { LoginStep } from './LoginStep.tsx';
import {
  type Card,
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
} from './steps.ts';

/** Everything after the first two steps, so that the login route stays light. */
const later = () => import('./later-steps.ts');
const VerificationStep = lazy(async () => ({ default: (await later()).VerificationStep }));
const BirthdateStep = lazy(async () => ({ default: (await later()).BirthdateStep }));
const ResetRequestStep = lazy(async () => ({ default: (await later()).ResetRequestStep }));
const NewPasswordStep = lazy(async () => ({ default: (await later()).NewPasswordStep }));
const ProfileStep = lazy(async () => ({
  default: (await import('./ProfileStep.tsx')).ProfileStep,
}));

const SCREENS: Record<Step, () => ReactNode> = {
  login: () => <LoginStep />,
  'reset-password': () => <ResetRequestStep />,
  'new-password': () => <NewPasswordStep />,
  email: () => <EmailStep />,
  verification: () => <VerificationStep />,
  birthdate: () => <BirthdateStep />,
  profile: () => <ProfileStep />,
};

type Change = { email: string } | { step: Step | 'app'; state: FlowState };

function changeCard(card: Card, change: Change): Card {
  return 'step' in change ? slideTo(card, change.step, change.state) : { ...card, ...change };
}

/** Whoever is at the card, seen as somebody who is not signed in. */
const NOBODY = { user: null, hasAccess: false };

type AuthFlowProps = {
  start: Step;
  /** Nobody is sent on: whoever shows this does it. */
  stays?: boolean;
};

/**
 * The authentication screen (spec 2): one card, seven steps. It starts at what the router's state
 * asks for, else at `start`. Somebody who is signed in and set up is sent to the profile, or to
 * where they were.
 */
export function AuthFlow({ start, stays = false }: AuthFlowProps) {
  const { user, hasAccess } = useAuth();
  const { loading } = useLoading();
  const place = usePlace();
  const state = useMemo(() => readFlowState(place.state), [place.state]);
  const step = stepToShow(start, state, stays ? NOBODY : { user, hasAccess });
  const home = state.returnTo ?? '/profile';

  const [card, change] = useReducer(changeCard, null, () => firstCard(step, state));
  useLayoutEffect(() => {
    // React slides only what changes in a transition.
    if (step !== card.step || state !== card.state) startTransition(() => change({ step, state }));
  }, [step, state, card.step, card.state]);
  // Whoever comes from another page of the app hears where they are, as after a slide.
  const [arrived] = useState(!place.loaded);

  // The card stays until the profile has been loaded.
  const leave = step === 'app' && <Redirect to={home} />;
  const { step: shown } = card;
  if (shown === 'app') return leave;

  const flow: Flow = {
    email: card.email,
    setEmail: (email) => change({ email }),
    state: card.state,
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
      <title>{`${HEADINGS[shown]} · Backboard`}</title>
      <Column
        className={styles.auth}
        aria-busy={loading || undefined}
        // Whoever begins to fill in a step will soon need the next one.
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
              <Suspense>{SCREENS[shown]()}</Suspense>
            </FlowContext>
          </Slide>
        </Board>
      </Column>
    </Page>
  );
}
