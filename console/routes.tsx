import type { ReactNode } from 'react';
import {
  CONSOLE_SCREENS,
  type ConsoleScreen,
  matchScreen,
  roleOfScreen,
} from '#contract/rules/console-pages.ts';
import { reaches } from '#contract/rules/staff.ts';
import { Contest } from './contests/Contest.tsx';
import { ContestPoster } from './contests/ContestPoster.tsx';
import { Contests } from './contests/Contests.tsx';
import { Inbox } from './inbox/Inbox.tsx';
import { Import } from './leagues/Import.tsx';
import { League } from './leagues/League.tsx';
import { Leagues } from './leagues/Leagues.tsx';
import { NextSeason } from './leagues/NextSeason.tsx';
import { Poster } from './leagues/Poster.tsx';
import { Season } from './leagues/Season.tsx';
import { Team } from './leagues/Team.tsx';
import { Weeks } from './leagues/Weeks.tsx';
import { AddMachine } from './machine/AddMachine.tsx';
import { Machine } from './machine/Machine.tsx';
import { NewKey } from './machine/NewKey.tsx';
import { More } from './more/More.tsx';
import { Player } from './players/Player.tsx';
import { Players } from './players/Players.tsx';
import { useLocation } from './router.tsx';
import { Screen } from './screens/Screen.tsx';
import { Screens as Televisions } from './screens/Screens.tsx';
import { useMe } from './session/me.tsx';
import { Page } from './shell/Page.tsx';
import { Audit } from './staff/Audit.tsx';
import { Staff } from './staff/Staff.tsx';
import { System } from './system/System.tsx';
import { Tonight } from './tonight/Tonight.tsx';

/** `params`: the path segments that the pattern marks with a colon. */
const SCREENS: Record<ConsoleScreen, (params: Record<string, string>) => ReactNode> = {
  '/console/': () => <Tonight />,
  '/console/inbox': () => <Inbox />,
  '/console/machines/add': () => <AddMachine />,
  '/console/machines/:id': ({ id = '' }) => <Machine id={id} />,
  '/console/machines/:id/key': ({ id = '' }) => <NewKey id={id} />,
  '/console/screens': () => <Televisions />,
  '/console/screens/:id': ({ id = '' }) => <Screen id={id} />,
  '/console/more': () => <More />,
  '/console/leagues': () => <Leagues />,
  '/console/leagues/:id': ({ id = '' }) => <League key={id} id={id} />,
  '/console/leagues/:id/import': ({ id = '' }) => <Import key={id} id={id} />,
  '/console/leagues/:id/weeks': ({ id = '' }) => <Weeks key={id} id={id} />,
  '/console/leagues/:id/season': ({ id = '' }) => <Season key={id} id={id} />,
  '/console/leagues/:id/next': ({ id = '' }) => <NextSeason key={id} id={id} />,
  '/console/leagues/teams/:id': ({ id = '' }) => <Team key={id} id={id} />,
  '/console/leagues/teams/:id/poster': ({ id = '' }) => <Poster id={id} />,
  '/console/contests': () => <Contests />,
  '/console/contests/:id': ({ id = '' }) => <Contest key={id} id={id} />,
  '/console/contests/:id/poster': ({ id = '' }) => <ContestPoster id={id} />,
  '/console/players': () => <Players />,
  '/console/players/:id': ({ id = '' }) => <Player key={id} id={id} />,
  '/console/staff': () => <Staff />,
  '/console/staff/audit': () => <Audit />,
  '/console/system': () => <System />,
};

/** The current screen, or Tonight with a note if the role may not open it. */
export function Screens() {
  const { path } = useLocation();
  const { role } = useMe();
  for (const pattern of Object.keys(CONSOLE_SCREENS) as ConsoleScreen[]) {
    const params = matchScreen(pattern, path);
    if (params === null) continue;
    const least = roleOfScreen(pattern);
    if (reaches(role, least)) return SCREENS[pattern](params);
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
