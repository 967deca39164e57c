import type { ComponentType, ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { codeInPath, idInPath, type OpenPath, PLAYER_PATHS } from '#contract/rules/pages.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import { AuthFlow } from './auth/AuthFlow.tsx';
import { OnboardingGate } from './auth/OnboardingGate.tsx';
import { ResetPasswordPage } from './auth/ResetPasswordPage.tsx';
import { Redirect, useLocation } from './router.tsx';
import { useAuth } from './session/AuthProvider.tsx';
import { ErrorPage } from './shell/ErrorPage.tsx';

const importPlayerPages = () => import('./player-pages.tsx');
let PlayerPages: ComponentType<{ path: string }> = lazy(() =>
  importPlayerPages().then((m) => ({ default: m.PlayerPages })),
);

/**
 * Loads the script of the profile, to be awaited before React first renders: React delays a page
 * that suspends by up to 300 ms. After a failure, React imports the script again, and shows that
 * failure.
 */
export async function loadProfile(): Promise<void> {
  const pages = await importPlayerPages().catch(() => null);
  if (pages !== null) PlayerPages = pages.PlayerPages;
}

const ProviderCallback = lazy(() =>
  import('./auth/ProviderCallback.tsx').then((m) => ({ default: m.ProviderCallback })),
);
const Join = lazy(() => import('./join/Join.tsx').then((m) => ({ default: m.Join })));
const Contest = lazy(() => import('./contest/Contest.tsx').then((m) => ({ default: m.Contest })));
const legal = () => import('./legal/pages.ts');
const Privacy = lazy(() => legal().then((m) => ({ default: m.Privacy })));
const Terms = lazy(() => legal().then((m) => ({ default: m.Terms })));

/**
 * Pages load lazily, except for the login's steps, which a new visitor needs at once. A player's
 * pages have a table of their own, so that /login does not name their files.
 */
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

/** The return from an identity provider; shows the login step until `ProviderCallback` loads. */
function Returned({ from }: { from: ProviderId }) {
  return (
    <Suspense fallback={<AuthFlow start="login" stays />}>
      <ProviderCallback id={from} />
    </Suspense>
  );
}

/** Pages of a code are open to visitors. A player finishes onboarding first, then comes back. */
function CodePage({ code, of: Page }: { code: string; of: ComponentType<{ code: string }> }) {
  return (
    <OnboardingGate open>
      <Page code={code} />
    </OnboardingGate>
  );
}

const PLAYER = new Set<string>(PLAYER_PATHS);

/** A path begins with a slash, so it never finds a property that objects inherit. */
const at = <Page,>(pages: Record<string, Page>, path: string): Page | undefined => pages[path];

function pageAt(path: string, hasAccess: boolean): ReactNode {
  const found = codeInPath(path);
  // A visitor who opens a friend's code signs in and comes back to it. Visitors see a contest without
  // signing in; for players it is a page below League (HAND-31).
  const isCode = found?.page === 'friend' || (found?.page === 'contest' && hasAccess);
  if (isCode || PLAYER.has(path) || idInPath(path) !== null)
    return (
      <OnboardingGate open={isCode}>
        <PlayerPages path={path} />
      </OnboardingGate>
    );
  if (found !== null)
    return <CodePage key={path} code={found.code} of={found.page === 'join' ? Join : Contest} />;
  return at(OPEN_PAGES, path)?.() ?? <ErrorPage text="404 Not Found" />;
}

/** The current page, or the error page (PROD-03). */
export function AppRoutes() {
  const { path } = useLocation();
  const { hasAccess } = useAuth();
  return <Suspense>{pageAt(path, hasAccess)}</Suspense>;
}
