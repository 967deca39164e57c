import type { ComponentType, ReactNode } from 'react';
import { Fragment, lazy, Suspense } from 'react';
import { codeInPath, idInPath, type OpenPath, type PlayerPath } from '#contract/rules/pages.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { AuthFlow } from './auth/AuthFlow.tsx';
import { OnboardingGate } from './auth/OnboardingGate.tsx';
import { ResetPasswordPage } from './auth/ResetPasswordPage.tsx';
import { Redirect, useLocation } from './router.tsx';
import { ErrorPage } from './shell/ErrorPage.tsx';

const PlayerShell = lazy(async () => ({
  default: (await import('./shell/PlayerShell.tsx')).PlayerShell,
}));
const ProviderCallback = lazy(async () => ({
  default: (await import('./auth/ProviderCallback.tsx')).ProviderCallback,
}));
const SubPage = lazy(async () => ({ default: (await import('./shell/SubPage.tsx')).SubPage }));
const Join = lazy(async () => ({ default: (await import('./join/Join.tsx')).Join }));
const Contest = lazy(async () => ({ default: (await import('./contest/Contest.tsx')).Contest }));
const Privacy = lazy(async () => ({ default: (await import('./legal/Privacy.tsx')).Privacy }));
const Terms = lazy(async () => ({ default: (await import('./legal/Terms.tsx')).Terms }));

/** Pages load lazily, except for the login's steps, which a new visitor needs at once. */
const OPEN_PAGES: Record<OpenPath, () => ReactNode> = {
  '/': () => <Redirect to="/profile" />,
  '/login': () => <AuthFlow start="login" />,
  '/signup': () => <AuthFlow start="email" />,
  '/reset-password': () => <ResetPasswordPage />,
  '/auth/google/callback': () => <Returned from="google" />,
  '/auth/oidc/callback': () => <Returned from="oidc" />,
  '/join': () => <CodePage code="" of={Join} />,
  '/privacy': () => <Privacy />,
  '/terms': () => <Terms />,
};

type PlayerPage = {
  /** Starts to load the page's JavaScript, so that it does not wait for the shell's. */
  load: () => void;
  show: () => ReactNode;
};

function playerPage(load: () => Promise<ComponentType>, ownFrame = false): PlayerPage {
  let loading: Promise<{ default: ComponentType }> | undefined;
  const start = () => (loading ??= load().then((page) => ({ default: page })));
  const Shown = lazy(start);
  return {
    // `lazy` reports a failure.
    load: () => void start().catch(() => undefined),
    show: () => (ownFrame ? <Shown /> : <SubPage>{<Shown />}</SubPage>),
  };
}

const FRIENDS = playerPage(async () => (await import('./later-pages.tsx')).Friends, true);

/** These need a session and a complete profile (PROD-01, PROD-21). */
const PLAYER_PAGES: Record<PlayerPath, PlayerPage> = {
  '/profile': playerPage(async () => (await import('./profile/Profile.tsx')).Profile, true),
  '/games': playerPage(async () => (await import('./games/Games.tsx')).Games),
  '/league': playerPage(async () => (await import('./league/League.tsx')).League),
  '/league/team': playerPage(async () => (await import('./league/TeamPage.tsx')).TeamPage),
  '/seasons': playerPage(async () => (await import('./league/Seasons.tsx')).Seasons),
  '/week': playerPage(async () => (await import('./league/Week.tsx')).Week),
  '/leaderboard': playerPage(
    async () => (await import('./leaderboard/Leaderboard.tsx')).Leaderboard,
  ),
  '/friends': FRIENDS,
  '/friends/add': FRIENDS,
  '/duels': FRIENDS,
  '/account': playerPage(async () => (await import('./account/Account.tsx')).Account),
  '/card': playerPage(async () => (await import('./later-pages.tsx')).SpareCard),
  '/achievements': playerPage(
    async () => (await import('./achievements/Achievements.tsx')).Achievements,
  ),
};

const ID_PAGES: Record<string, PlayerPage> = {
  friends: FRIENDS,
  seasons: playerPage(async () => (await import('./later-pages.tsx')).SeasonPage),
  cups: playerPage(async () => (await import('./later-pages.tsx')).CupPage),
};

/** The return from an identity provider; shows the login step until `ProviderCallback` loads. */
function Returned({ from }: { from: ProviderId }) {
  return (
    <Suspense fallback={<AuthFlow start="login" stays />}>
      <ProviderCallback id={from} />
    </Suspense>
  );
}

/** Pages of a code are open to visitors. A player finishes onboarding first, and then comes back. */
function CodePage({ code, of: Page }: { code: string; of: ComponentType<{ code: string }> }) {
  return (
    <OnboardingGate open>
      <Page code={code} />
    </OnboardingGate>
  );
}

/** No property that objects inherit begins with a slash, as every path does. */
const at = <Page,>(pages: Record<string, Page>, path: string): Page | undefined => pages[path];

function pageAt(path: string): ReactNode {
  const found = codeInPath(path);
  // Visitors sign in and come back to the code that a friend shows.
  if (found?.page === 'friend') return <OnboardingGate open>{FRIENDS.show()}</OnboardingGate>;
  if (found !== null)
    return <CodePage key={path} code={found.code} of={found.page === 'join' ? Join : Contest} />;
  const open = at(OPEN_PAGES, path);
  if (open) return open();
  const page = at(PLAYER_PAGES, path) ?? ID_PAGES[idInPath(path)?.page ?? ''];
  if (page) {
    page.load();
    return (
      <OnboardingGate>
        <PlayerShell>
          <Fragment key={path}>{page.show()}</Fragment>
        </PlayerShell>
      </OnboardingGate>
    );
  }
  return <ErrorPage text="404 Not Found" />;
}

/** The current page, or the error page (PROD-03). */
export function AppRoutes() {
  const { path } = useLocation();
  return <Suspense>{pageAt(path)}</Suspense>;
}
