import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { codeInPath, type Screen } from '#contract/screens.ts';
import { AuthFlow } from './auth/AuthFlow.tsx';
import { OnboardingGate } from './auth/OnboardingGate.tsx';
import { ProviderCallback } from './auth/ProviderCallback.tsx';
import { ResetPasswordPage } from './auth/ResetPasswordPage.tsx';
import { Redirect, useLocation } from './router.tsx';
import { ErrorScreen } from './shell/ErrorScreen.tsx';

const Profile = lazy(async () => ({ default: (await import('./profile/Profile.tsx')).Profile }));
const SubPage = lazy(async () => ({ default: (await import('./shell/SubPage.tsx')).SubPage }));
const Games = lazy(async () => ({ default: (await import('./games/Games.tsx')).Games }));
const League = lazy(async () => ({ default: (await import('./league/League.tsx')).League }));
const Week = lazy(async () => ({ default: (await import('./league/Week.tsx')).Week }));
const Leaderboard = lazy(async () => ({
  default: (await import('./leaderboard/Leaderboard.tsx')).Leaderboard,
}));
const Account = lazy(async () => ({ default: (await import('./account/Account.tsx')).Account }));
const SpareCard = lazy(async () => ({
  default: (await import('./account/SpareCard.tsx')).SpareCard,
}));
const Achievements = lazy(async () => ({
  default: (await import('./achievements/Achievements.tsx')).Achievements,
}));
const Join = lazy(async () => ({ default: (await import('./join/Join.tsx')).Join }));
const Privacy = lazy(async () => ({ default: (await import('./legal/Privacy.tsx')).Privacy }));
const Terms = lazy(async () => ({ default: (await import('./legal/Terms.tsx')).Terms }));

/** Pages load lazily, except for the authentication screens, which a new visitor needs at once. */
const PAGES: Record<Screen, () => ReactNode> = {
  '/': () => <Redirect to="/profile" />,
  '/login': () => <AuthFlow start="login" />,
  '/signup': () => <AuthFlow start="email" />,
  '/reset-password': () => <ResetPasswordPage />,
  '/auth/google/callback': () => <ProviderCallback id="google" />,
  '/auth/oidc/callback': () => <ProviderCallback id="oidc" />,
  '/profile': () => protect(<Profile />),
  '/games': () => below(<Games />),
  '/league': () => below(<League />),
  '/week': () => below(<Week />),
  '/leaderboard': () => below(<Leaderboard />),
  '/account': () => below(<Account />),
  '/card': () => below(<SpareCard />),
  '/achievements': () => below(<Achievements />),
  '/join': () => <JoinGate code="" />,
  '/privacy': () => <Privacy />,
  '/terms': () => <Terms />,
};

function protect(page: ReactNode) {
  return <OnboardingGate>{page}</OnboardingGate>;
}

function below(page: ReactNode) {
  return protect(<SubPage>{page}</SubPage>);
}

/** The join page is open to visitors. A player finishes onboarding first, and then comes back. */
function JoinGate({ code }: { code: string }) {
  return (
    <OnboardingGate open>
      <Join code={code} />
    </OnboardingGate>
  );
}

function isScreen(path: string): path is Screen {
  return path in PAGES;
}

/** The current page, or the error screen (PROD-03). */
export function AppRoutes() {
  const { path } = useLocation();
  const code = codeInPath(path);
  if (code !== null)
    return (
      <Suspense>
        <JoinGate key={code} code={code} />
      </Suspense>
    );
  return (
    <Suspense>{isScreen(path) ? PAGES[path]() : <ErrorScreen text="404 Not Found" />}</Suspense>
  );
}
