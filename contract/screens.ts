/** Paths that anybody may open (PROD-01). */
export const OPEN_SCREENS = [
  '/',
  '/login',
  '/signup',
  '/reset-password',
  '/auth/google/callback',
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
