/** The paths that are open to everybody (PROD-01). */
export const OPEN_SCREENS = [
  '/',
  '/login',
  '/signup',
  '/reset-password',
  '/auth/google/callback',
  '/auth/oidc/callback',
  '/join',
  '/privacy',
  '/terms',
] as const;

/** Without a session, these lead to /login (PROD-01). */
export const PLAYER_SCREENS = [
  '/profile',
  '/games',
  '/league',
  '/week',
  '/seasons',
  '/leaderboard',
  '/achievements',
  '/account',
  '/card',
] as const;

export type OpenScreen = (typeof OPEN_SCREENS)[number];
export type PlayerScreen = (typeof PLAYER_SCREENS)[number];
export type Screen = OpenScreen | PlayerScreen;

/** The page of a season (SEASON-40). It needs a session. */
export type SeasonAddress = `/seasons/${string}`;
export const seasonAddress = (id: string): SeasonAddress => `/seasons/${id}`;

/** The season's id in its page's path; null for other paths. */
export function seasonInPath(path: string): string | null {
  return /^\/seasons\/(\d{1,9})$/.exec(path)?.[1] ?? null;
}

/** The page of a cup (CUP-30). It needs a session. */
export type CupAddress = `/cups/${string}`;
export const cupAddress = (id: string): CupAddress => `/cups/${id}`;

/** The cup's id in its page's path; null for other paths. */
export function cupInPath(path: string): string | null {
  return /^\/cups\/(\d{1,9})$/.exec(path)?.[1] ?? null;
}

/** A team's join page (PROD-94). */
export type JoinAddress = `/join/${string}`;
export const joinAddress = (code: string): JoinAddress => `/join/${encodeURIComponent(code)}`;

/** A contest's page (CONTEST-10). */
export type ContestAddress = `/contest/${string}`;
export const contestAddress = (code: string): ContestAddress =>
  `/contest/${encodeURIComponent(code)}`;

/** What a path with a code is of, and the code; null for other paths. */
export function codeInPath(path: string): { page: string; code: string } | null {
  const [, page = '', code = ''] = /^\/(join|contest)\/([^/]+)$/.exec(path) ?? [];
  return page === '' ? null : { page, code };
}

/** The built pages of /login, for each set of buttons (scripts/pages.ts). */
export type LoginPage = `login${'' | '-google' | '-stand-in'}${'' | '-oidc'}.html`;

/** A built page's placeholder for the OIDC provider's name. */
export const PAINTED_NAME = '%OIDC_NAME%';
