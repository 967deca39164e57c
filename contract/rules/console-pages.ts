import type { Role } from './staff.ts';

/**
 * Every path of the console, with the least role that may open it (STAFF-01). `:id` matches a
 * segment. Other paths under /console/ get 404.
 */
export const CONSOLE_PAGES = {
  '/console/': 'floor',
  '/console/inbox': 'manager',
  '/console/machines/add': 'manager',
  '/console/machines/:id': 'floor',
  '/console/machines/:id/key': 'manager',
  '/console/screens': 'manager',
  '/console/screens/:id': 'manager',
  '/console/more': 'floor',
  '/console/leagues': 'manager',
  '/console/leagues/:id': 'manager',
  '/console/leagues/:id/import': 'manager',
  '/console/leagues/:id/weeks': 'manager',
  '/console/leagues/:id/season': 'manager',
  '/console/leagues/:id/next': 'manager',
  '/console/leagues/teams/:id': 'manager',
  '/console/leagues/teams/:id/poster': 'floor',
  '/console/leagues/:id/posters': 'floor',
  '/console/contests': 'floor',
  '/console/contests/cups/new': 'manager',
  '/console/contests/cups/:id': 'manager',
  '/console/contests/:id': 'manager',
  '/console/contests/:id/poster': 'floor',
  '/console/players': 'manager',
  '/console/players/:id': 'manager',
  '/console/staff': 'owner',
  '/console/staff/audit': 'owner',
  '/console/system': 'owner',
} as const satisfies Record<string, Role>;

export type ConsolePage = keyof typeof CONSOLE_PAGES;

export const roleOfPage = (page: ConsolePage): Role => CONSOLE_PAGES[page];

/** The page for one-time links, which needs no session (P61). */
export const JOIN_PAGE = '/console/join';

/** Matches `path` against a pattern of CONSOLE_PAGES. Returns the path's parameters, or null. */
export function matchPage(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}

export function isConsolePage(path: string): boolean {
  return (
    path === JOIN_PAGE ||
    Object.keys(CONSOLE_PAGES).some((pattern) => matchPage(pattern, path) !== null)
  );
}
