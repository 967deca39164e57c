import type { ReactNode } from 'react';
import type { Role } from '#contract/console.ts';
import { type ConsoleScreen, roleOfScreen } from '#contract/console-screens.ts';
import { LeaguesIcon, TonightIcon } from '../ui/Icon.tsx';
import type { Counts } from './counts.ts';

/** A word of the rail. Those with an icon are in the bar of a phone, the others under More. */
export type Place = {
  name: string;
  path: ConsoleScreen;
  /** What the place holds, under its name in More. */
  about: string;
  icon?: ReactNode;
  count?: keyof Counts;
};

/** The places in their order. A place that a role may not open is left out. */
export const PLACES: readonly Place[] = [
  {
    name: 'Tonight',
    path: '/console/',
    about: 'Machines, and what needs a hand',
    icon: <TonightIcon />,
    count: 'hands',
  },
  {
    name: 'Leagues',
    path: '/console/leagues',
    about: 'Teams, weeks, joining and posters',
    icon: <LeaguesIcon />,
  },
  {
    name: 'Screens',
    path: '/console/screens',
    about: 'Televisions at the venues, and their notice',
  },
  { name: 'Staff', path: '/console/staff', about: 'People, devices and links' },
  { name: 'System', path: '/console/system', about: 'Version, database, mail, last backup' },
];

/** The least role of a place. */
export const roleOf = ({ path }: Place): Role => roleOfScreen(path);
