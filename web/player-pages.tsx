import { Fragment, lazy, type ReactNode } from 'react';
import { codeInPath, idInPath, type PlayerPath } from '#contract/rules/pages.ts';
import { Profile } from './profile/Profile.tsx';
import { PlayerShell } from './shell/PlayerShell.tsx';
import { SubPage } from './shell/SubPage.tsx';

const Games = lazy(() => import('./games/Games.tsx').then((m) => ({ default: m.Games })));
const League = lazy(() => import('./league/League.tsx').then((m) => ({ default: m.League })));
const TeamPage = lazy(() => import('./league/TeamPage.tsx').then((m) => ({ default: m.TeamPage })));
const Seasons = lazy(() => import('./league/Seasons.tsx').then((m) => ({ default: m.Seasons })));
const SeasonPage = lazy(() =>
  import('./league/SeasonPage.tsx').then((m) => ({ default: m.SeasonPage })),
);
const CupPage = lazy(() => import('./league/CupPage.tsx').then((m) => ({ default: m.CupPage })));
const Week = lazy(() => import('./league/Week.tsx').then((m) => ({ default: m.Week })));
const Leaderboard = lazy(() =>
  import('./leaderboard/Leaderboard.tsx').then((m) => ({ default: m.Leaderboard })),
);
const Friends = lazy(() => import('./friends/Friends.tsx').then((m) => ({ default: m.Friends })));
const PlayerContest = lazy(() =>
  import('./contest/PlayerContest.tsx').then((m) => ({ default: m.PlayerContest })),
);
const Duels = lazy(() => import('./duels/Duels.tsx').then((m) => ({ default: m.Duels })));
const Account = lazy(() => import('./account/Account.tsx').then((m) => ({ default: m.Account })));
const SpareCard = lazy(() =>
  import('./account/SpareCard.tsx').then((m) => ({ default: m.SpareCard })),
);
const Achievements = lazy(() =>
  import('./achievements/Achievements.tsx').then((m) => ({ default: m.Achievements })),
);

const below = (page: ReactNode) => <SubPage>{page}</SubPage>;

/** The pages that need a session and a complete profile (PROD-01, PROD-21). */
const PAGES: Record<PlayerPath, () => ReactNode> = {
  '/profile': () => <Profile />,
  '/games': () => below(<Games />),
  '/league': () => below(<League />),
  '/league/team': () => below(<TeamPage />),
  '/seasons': () => below(<Seasons />),
  '/week': () => below(<Week />),
  '/leaderboard': () => below(<Leaderboard />),
  '/friends': () => <Friends />,
  '/friends/add': () => <Friends />,
  '/duels': () => below(<Duels />),
  '/account': () => below(<Account />),
  '/card': () => below(<SpareCard />),
  '/achievements': () => below(<Achievements />),
};

const ID_PAGES: Record<string, () => ReactNode> = {
  friends: () => <Friends />,
  seasons: () => below(<SeasonPage />),
  cups: () => below(<CupPage />),
};

function pageAt(path: string): ReactNode {
  const code = codeInPath(path)?.code;
  if (code !== undefined) return <PlayerContest code={code} />;
  return (PAGES[path as PlayerPath] ?? ID_PAGES[idInPath(path)?.page ?? ''])?.();
}

/** The player's page at `path`. Visitors may see a friend's code too: its page has no shell. */
export function PlayerPages({ path }: { path: string }) {
  if (codeInPath(path)?.page === 'friend') return <Friends />;
  return (
    <PlayerShell>
      <Fragment key={path}>{pageAt(path)}</Fragment>
    </PlayerShell>
  );
}
