import type { ReactNode } from 'react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import type { User } from '#contract/profile.ts';
import { Link, navigate, Redirect, usePlace } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useLoading } from '../session/LoadingProvider.tsx';
import { Board, Quarters } from '../ui/Board.tsx';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { Slide } from '../ui/Slide.tsx';
import styles from './AuthFlow.module.css';
import { EmailStep } from './EmailStep.tsx';
import { type Flow, FlowContext } from './flow.ts';
import { LoginStep } from './LoginStep.tsx';
import {
  HEADINGS,
  isBack,
  next,
  pathOf,
  QUARTERS,
  readFlowState,
  type Step,
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

/** Where the card slid from, to know which way it goes and whether the net has to swish. */
interface Passage {
  step: Step | 'app';
  back: boolean;
  slides: number;
  swishes: number;
}

function isQuarter(step: Step | 'app'): step is keyof typeof QUARTERS {
  return step in QUARTERS;
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
  const state = readFlowState(place.state);
  // Deferred, because only what React calls a transition can slide.
  const step = useDeferredValue(stepToShow(start, state, stays ? NOBODY : { user, hasAccess }));
  const home = state.returnTo ?? '/profile';

  const [email, setEmail] = useState(state.email ?? '');
  const [arrivedAt, setArrivedAt] = useState(place);
  if (arrivedAt !== place) {
    setArrivedAt(place);
    if (state.email) setEmail(state.email);
  }

  // Whoever comes from another page of the app hears where they are, as after a slide.
  const [arrived] = useState(!place.loaded);
  const [passage, setPassage] = useState<Passage>({ step, back: false, slides: 0, swishes: 0 });
  if (step !== passage.step && step !== 'app') {
    const back = passage.step !== 'app' && isBack(passage.step, step);
    const accepted = !back && isQuarter(passage.step) && isQuarter(step);
    setPassage({
      step,
      back,
      slides: passage.slides + 1,
      swishes: passage.swishes + (accepted ? 1 : 0),
    });
  }

  // The card stays until the profile has been loaded.
  const shown = step === 'app' ? passage.step : step;
  const leave = step === 'app' && <Redirect to={home} />;
  if (shown === 'app') return leave;

  const flow: Flow = {
    email,
    setEmail,
    state,
    slidIn: arrived || passage.slides > 0,
    go: (to, more) => navigate(pathOf(to), { state: { step: to, ...more } }),
    entered(player: User) {
      const { go } = next(shown, { user: player });
      if (go === 'app') navigate(home, { replace: true });
      else navigate(pathOf(go), { replace: true, state: { step: go } });
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
        <Board swishes={passage.swishes}>
          <Slide
            id={shown}
            back={passage.back}
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
