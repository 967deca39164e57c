import { codeInPath, idInPath, type PlayerPath } from '#contract/rules/pages.ts';

/** The rooms of the bar, in its order (HAND-30). */
export const ROOMS = ['/profile', '/games', '/league', '/leaderboard'] as const;
export type Room = (typeof ROOMS)[number];

export const ROOM_NAMES: Record<Room, string> = {
  '/profile': 'Pass',
  '/games': 'Games',
  '/league': 'League',
  '/leaderboard': 'Leaderboard',
};

/** The room that each page belongs to; null for a page without the bar (HAND-31). */
export const ROOM_OF: Record<PlayerPath, Room | null> = {
  '/profile': '/profile',
  '/account': '/profile',
  '/achievements': '/profile',
  '/card': '/profile',
  '/week': '/profile',
  '/games': '/games',
  '/league': '/league',
  '/league/team': '/league',
  '/seasons': '/league',
  '/leaderboard': '/leaderboard',
  '/friends': '/leaderboard',
  '/duels': '/profile',
  // The code fills the screen.
  '/friends/add': null,
};

/** The room of an address; null for an address without the bar. */
export function roomAt(path: string): Room | null {
  const page = idInPath(path)?.page;
  if (codeInPath(path)?.page === 'contest') return '/league';
  if (page !== undefined) return page === 'friends' ? '/leaderboard' : '/league';
  return Object.hasOwn(ROOM_OF, path) ? ROOM_OF[path as PlayerPath] : null;
}
