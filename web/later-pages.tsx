import { lazy } from 'react';
import { useLocation } from './router.tsx';
import { SubPage } from './shell/SubPage.tsx';

/*
 * Pages that a visit seldom opens. They have a script of their own, so that /login does not name
 * their files.
 */

const LazyCup = lazy(async () => ({ default: (await import('./league/CupPage.tsx')).CupPage }));
const LazyDuels = lazy(async () => ({ default: (await import('./duels/Duels.tsx')).Duels }));
const LazyFriends = lazy(async () => ({
  default: (await import('./friends/Friends.tsx')).Friends,
}));
const LazySeason = lazy(async () => ({
  default: (await import('./league/SeasonPage.tsx')).SeasonPage,
}));
const LazyCard = lazy(async () => ({
  default: (await import('./account/SpareCard.tsx')).SpareCard,
}));

// A component, because a route's own `lazy` takes no lazy one.
export const CupPage = () => <LazyCup />;
/** Friends and duels as one component, so that /login names only one. */
export function Friends() {
  if (useLocation().path !== '/duels') return <LazyFriends />;
  return (
    <SubPage>
      <LazyDuels />
    </SubPage>
  );
}
export const SeasonPage = () => <LazySeason />;
export const SpareCard = () => <LazyCard />;
