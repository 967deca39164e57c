import type { ContestAddress, CupAddress, JoinAddress, SeasonAddress } from './pages.ts';

/**
 * Addresses of pages with a code, an id or a name in them. They are not in `pages.ts`, because
 * /login loads that file.
 */

/** The page of a team of the player's league (HAND-64). */
export const teamAddress = (team: string) =>
  `/league/team?name=${encodeURIComponent(team)}` as const;

export const seasonAddress = (id: string): SeasonAddress => `/seasons/${id}`;

export const cupAddress = (id: string): CupAddress => `/cups/${id}`;

export const joinAddress = (code: string): JoinAddress => `/join/${encodeURIComponent(code)}`;

export const contestAddress = (code: string): ContestAddress =>
  `/contest/${encodeURIComponent(code)}`;
