import type { ReactNode } from 'react';
import { type ConsolePage, roleOfPage } from '#contract/rules/console-pages.ts';
import type { Role } from '#contract/rules/staff.ts';
import { InboxIcon, LeaguesIcon, PlayersIcon, TonightIcon } from '../ui/Icon.tsx';

/** An entry of the navigation. On a phone, those with an icon are in the bar, others under More. */
export type NavEntry = {
  name: string;
  path: ConsolePage;
  /** The prefix of this entry's pages, if not `path`. */
  below?: `/console/${string}/`;
  about: string;
  icon?: ReactNode;
  /** Puts an entry without an icon above the line of the rail. */
  daily?: true;
  /** Has the ball with the console's number (HAND-C7). */
  ball?: true;
  /** Not in the rail, because another page links to it. */
  onlyInMore?: true;
};

/** In the order of the navigation. The shell hides pages that the role may not open. */
export const NAV: readonly NavEntry[] = [
  {
    name: 'Tonight',
    path: '/console/',
    below: '/console/machines/',
    about: 'Machines, and what needs a hand',
    icon: <TonightIcon />,
    ball: true,
  },
  {
    name: 'Inbox',
    path: '/console/inbox',
    about: 'Held games, reports, and requests to join',
    icon: <InboxIcon />,
  },
  {
    name: 'Leagues',
    path: '/console/leagues',
    about: 'Teams, weeks, joining and posters',
    icon: <LeaguesIcon />,
  },
  {
    name: 'Contests',
    path: '/console/contests',
    about: 'One night, and who won it',
    daily: true,
  },
  {
    name: 'Players',
    path: '/console/players',
    about: 'Search, put right, delete',
    icon: <PlayersIcon />,
  },
  {
    name: 'Screens',
    path: '/console/screens',
    about: 'Televisions at the venues, and their notice',
  },
  { name: 'Staff', path: '/console/staff', about: 'People, devices and links' },
  {
    name: 'Audit',
    path: '/console/staff/audit',
    about: 'Who did what, and when',
    onlyInMore: true,
  },
  { name: 'System', path: '/console/system', about: 'Version, database, mail, last backup' },
];

export const roleOf = ({ path }: NavEntry): Role => roleOfPage(path);
