/** The paths that are open to everybody (PROD-01). */
export const OPEN_PATHS = [
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
export const PLAYER_PATHS = [
  '/profile',
  '/games',
  '/league',
  '/league/team',
  '/week',
  '/seasons',
  '/leaderboard',
  '/friends',
  '/friends/add',
  '/duels',
  '/achievements',
  '/account',
  '/card',
] as const;

export type OpenPath = (typeof OPEN_PATHS)[number];
export type PlayerPath = (typeof PLAYER_PATHS)[number];
export type PagePath = OpenPath | PlayerPath;

/** The page of a season (SEASON-40). It needs a session. */
export type SeasonAddress = `/seasons/${string}`;

/** The page of a cup (CUP-30). It needs a session. */
export type CupAddress = `/cups/${string}`;

/** The kind of page, `seasons`, `cups` or `friends`, and the id in a path; null for other paths. */
export function idInPath(path: string): { page: string; id: string } | null {
  const [, page = '', id = ''] = /^\/(seasons|cups|friends)\/(\d{1,9})$/.exec(path) ?? [];
  return page === '' ? null : { page, id };
}

/** A team's join page (PROD-94). */
export type JoinAddress = `/join/${string}`;

/** A contest's page (CONTEST-10). */
export type ContestAddress = `/contest/${string}`;

/** The page of the code that a friend shows (FRIEND-02). */
export type FriendAddress = `/friend/${string}`;

/**
 * The kind of page, `join`, `contest` or `friend`, and the code in a path; null for other paths.
 */
export function codeInPath(path: string): { page: string; code: string } | null {
  const [, page = '', code = ''] = /^\/(join|contest|friend)\/([^/]+)$/.exec(path) ?? [];
  return page === '' ? null : { page, code };
}

/** The built pages of /login, for each set of buttons (scripts/pages.ts). */
export type LoginPage = `login${'' | '-google' | '-stand-in'}${'' | '-oidc'}.html`;

/** A built page's placeholder for the OIDC provider's name. */
export const PAINTED_NAME = '%OIDC_NAME%';
