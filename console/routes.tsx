import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import {
  CONSOLE_PAGES,
  type ConsolePage,
  matchPage,
  roleOfPage,
} from '#contract/rules/console-pages.ts';
import { reaches } from '#contract/rules/staff.ts';
import { Inbox } from './inbox/Inbox.tsx';
import { AddMachine } from './machine/AddMachine.tsx';
import { Machine } from './machine/Machine.tsx';
import { NewKey } from './machine/NewKey.tsx';
import { More } from './more/More.tsx';
import { Player } from './players/Player.tsx';
import { Players } from './players/Players.tsx';
import { useLocation } from './router.tsx';
import { useMe } from './session/me.tsx';
import { Skeleton } from './shell/Loaded.tsx';
import { Page } from './shell/Page.tsx';
import { Tonight } from './tonight/Tonight.tsx';

/** A page whose code the browser loads when it is first opened (STAFF-08). */
const later = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }));

const Contest = later(async () => (await import('./contests/Contest.tsx')).Contest);
const ContestPoster = later(
  async () => (await import('./contests/ContestPoster.tsx')).ContestPoster,
);
const Contests = later(async () => (await import('./contests/Contests.tsx')).Contests);
const Cup = later(async () => (await import('./contests/Cup.tsx')).Cup);
const NewCup = later(async () => (await import('./contests/NewCup.tsx')).NewCup);
const Import = later(async () => (await import('./leagues/Import.tsx')).Import);
const League = later(async () => (await import('./leagues/League.tsx')).League);
const Leagues = later(async () => (await import('./leagues/Leagues.tsx')).Leagues);
const NextSeason = later(async () => (await import('./leagues/NextSeason.tsx')).NextSeason);
const Poster = later(async () => (await import('./leagues/Poster.tsx')).Poster);
const Posters = later(async () => (await import('./leagues/Poster.tsx')).Posters);
const Season = later(async () => (await import('./leagues/Season.tsx')).Season);
const Team = later(async () => (await import('./leagues/Team.tsx')).Team);
const Weeks = later(async () => (await import('./leagues/Weeks.tsx')).Weeks);
const Screen = later(async () => (await import('./screens/Screen.tsx')).Screen);
const Screens = later(async () => (await import('./screens/Screens.tsx')).Screens);
const Audit = later(async () => (await import('./staff/Audit.tsx')).Audit);
const Staff = later(async () => (await import('./staff/Staff.tsx')).Staff);
const System = later(async () => (await import('./system/System.tsx')).System);

/** `params`: the path segments that the pattern marks with a colon. */
const PAGES: Record<ConsolePage, (params: Record<string, string>) => ReactNode> = {
  '/console/': () => <Tonight />,
  '/console/inbox': () => <Inbox />,
  '/console/machines/add': () => <AddMachine />,
  '/console/machines/:id': ({ id = '' }) => <Machine id={id} />,
  '/console/machines/:id/key': ({ id = '' }) => <NewKey id={id} />,
  '/console/screens': () => <Screens />,
  '/console/screens/:id': ({ id = '' }) => <Screen id={id} />,
  '/console/more': () => <More />,
  '/console/leagues': () => <Leagues />,
  '/console/leagues/:id': ({ id = '' }) => <League id={id} />,
  '/console/leagues/:id/import': ({ id = '' }) => <Import id={id} />,
  '/console/leagues/:id/weeks': ({ id = '' }) => <Weeks id={id} />,
  '/console/leagues/:id/season': ({ id = '' }) => <Season id={id} />,
  '/console/leagues/:id/next': ({ id = '' }) => <NextSeason id={id} />,
  '/console/leagues/teams/:id': ({ id = '' }) => <Team id={id} />,
  '/console/leagues/teams/:id/poster': ({ id = '' }) => <Poster id={id} />,
  '/console/leagues/:id/posters': ({ id = '' }) => <Posters id={id} />,
  '/console/contests': () => <Contests />,
  '/console/contests/cups/new': () => <NewCup />,
  '/console/contests/cups/:id': ({ id = '' }) => <Cup id={id} />,
  '/console/contests/:id': ({ id = '' }) => <Contest id={id} />,
  '/console/contests/:id/poster': ({ id = '' }) => <ContestPoster id={id} />,
  '/console/players': () => <Players />,
  '/console/players/:id': ({ id = '' }) => <Player id={id} />,
  '/console/staff': () => <Staff />,
  '/console/staff/audit': () => <Audit />,
  '/console/system': () => <System />,
};

/** The current page. If the role may not open this page, Tonight with a note. */
export function Pages() {
  const { path } = useLocation();
  const { role } = useMe();
  for (const pattern of Object.keys(CONSOLE_PAGES) as ConsolePage[]) {
    const params = matchPage(pattern, path);
    if (params === null) continue;
    const least = roleOfPage(pattern);
    if (reaches(role, least))
      return (
        // The key: what was typed on one machine's page does not appear on another's.
        <Suspense key={path} fallback={<Skeleton what="the page" />}>
          {PAGES[pattern](params)}
        </Suspense>
      );
    const who = least === 'owner' ? 'owners' : 'managers and owners';
    return <Tonight refused={`This is for ${who}.`} />;
  }
  return (
    <Page title="Nothing here">
      <p>
        There is no such page in the console. <a href="/console/">Open Tonight</a>
      </p>
    </Page>
  );
}
