import { Fragment, lazy, type ReactNode } from 'react';
import { codeInPath, idInPath, type PlayerPath } from '#contract/rules/pages.ts';
import { PlayerShell } from './shell/PlayerShell.tsx';
import { SubPage } from './shell/SubPage.tsx';

const Profile = lazy(async () => ({ default: (await import('./profile/Profile.tsx')).Profile }));
const Games = lazy(async () => ({ default: (await import('./games/Games.tsx')).Games }));
const League = lazy(async () => ({ default: (await import('./league/League.tsx')).League }));
const TeamPage = lazy(async () => ({ default: (await import('./league/TeamPage.tsx')).TeamPage }));
const Seasons = lazy(async () => ({ default: (await import('./league/Seasons.tsx')).Seasons }));
const SeasonPage = lazy(async () => ({
  default: (await import('./league/SeasonPage.tsx')).SeasonPage,
}));
const CupPage = lazy(async () => ({ default: (await import('./league/CupPage.tsx')).CupPage }));
const Week = lazy(async () => ({ default: (await import('./league/Week.tsx')).Week }));
const Leaderboard = lazy(async () => ({
  default: (await import('./leaderboard/Leaderboard.tsx')).Leaderboard,
}));
const Friends = lazy(async () => ({ default: (await import('./friends/Friends.tsx')).Friends }));
const Duels = lazy(async () => ({ default: (await import('./duels/Duels.tsx')).Duels }));
const Account = lazy(async () => ({ default: (await import('./account/Account.tsx')).Account }));
const SpareCard = lazy(async () => ({
  default: (await import('./account/SpareCard.tsx')).SpareCard,
}));
const Achievements = lazy(async () => ({
  default: (await import('./achievements/Achievements.tsx')).Achievements,
}));

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

/** The player's page at `path`. Visitors may see a friend's code too: its page has no shell. */
export function PlayerPages({ path }: { path: string }) {
  if (codeInPath(path) !== null) return <Friends />;
  const show = PAGES[path as PlayerPath] ?? ID_PAGES[idInPath(path)?.page ?? ''];
  return (
    <PlayerShell>
      <Fragment key={path}>{show?.()}</Fragment>
    </PlayerShell>
  );
}
