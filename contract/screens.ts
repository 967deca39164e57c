/** Paths that anybody may open (PROD-01). */
export const OPEN_SCREENS = [
  '/',
  '/login',
  '/signup',
  '/reset-password',
  '/auth/google/callback',
  '/join',
  '/privacy',
  '/terms',
] as const;

/** Paths that need a session; without a session they lead to /login (PROD-01). */
export const PLAYER_SCREENS = [
  '/profile',
  '/games',
  '/league',
  '/week',
  '/leaderboard',
  '/achievements',
  '/account',
  '/card',
] as const;

export type OpenScreen = (typeof OPEN_SCREENS)[number];
export type PlayerScreen = (typeof PLAYER_SCREENS)[number];
/** Every path of the app. */
export type Screen = OpenScreen | PlayerScreen;

/** The address of a team's join page (PROD-94). */
export type JoinAddress = `/join/${string}`;
export const joinAddress = (code: string): JoinAddress => `/join/${encodeURIComponent(code)}`;

/**
 * The code in the path of a join page, as it is written there; null for any other path. It may be a
 * code that no team has: the page says so.
 */
export function codeInPath(path: string): string | null {
  return /^\/join\/([^/]+)$/.exec(path)?.[1] ?? null;
}
