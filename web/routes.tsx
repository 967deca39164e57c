import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { codeInPath, type OpenScreen, type PlayerScreen } from '#contract/rules/pages.ts';
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
const OPEN_PAGES: Record<OpenScreen, () => ReactNode> = {
  '/': () => <Redirect to="/profile" />,
  '/login': () => <AuthFlow start="login" />,
  '/signup': () => <AuthFlow start="email" />,
  '/reset-password': () => <ResetPasswordPage />,
  '/auth/google/callback': () => <ProviderCallback id="google" />,
  '/auth/oidc/callback': () => <ProviderCallback id="oidc" />,
  '/join': () => <JoinGate code="" />,
  '/privacy': () => <Privacy />,
  '/terms': () => <Terms />,
};

/** These need a session and a complete profile (PROD-01, PROD-21). */
const PLAYER_PAGES: Record<PlayerScreen, () => ReactNode> = {
  '/profile': () => <Profile />,
  '/games': () => below(<Games />),
  '/league': () => below(<League />),
  '/week': () => below(<Week />),
  '/leaderboard': () => below(<Leaderboard />),
  '/account': () => below(<Account />),
  '/card': () => below(<SpareCard />),
  '/achievements': () => below(<Achievements />),
};

const below = (page: ReactNode) => <SubPage>{page}</SubPage>;

/** The join page is open to visitors. A player finishes onboarding first, and then comes back. */
function JoinGate({ code }: { code: string }) {
  return (
    <OnboardingGate open>
      <Join code={code} />
    </OnboardingGate>
  );
}

const has = <Path extends string>(
  pages: Record<Path, () => ReactNode>,
  path: string,
): path is Path => Object.hasOwn(pages, path);

function pageAt(path: string): ReactNode {
  const code = codeInPath(path);
  if (code !== null) return <JoinGate key={code} code={code} />;
  if (has(OPEN_PAGES, path)) return OPEN_PAGES[path]();
  if (has(PLAYER_PAGES, path)) return <OnboardingGate>{PLAYER_PAGES[path]()}</OnboardingGate>;
  return <ErrorScreen text="404 Not Found" />;
}

/** The current page, or the error screen (PROD-03). */
export function AppRoutes() {
  const { path } = useLocation();
  return <Suspense>{pageAt(path)}</Suspense>;
}
