/**
 * Each role has the rights of those before it. `floor` sees machines, marks them in repair and
 * prints posters; `manager` runs machines, games, leagues and players; `owner` also staff and the
 * system (STAFF-01).
 */
export const ROLES = ['floor', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` has the rights of `least`. */
export function reaches(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export const ROLE_NAMES: Record<Role, string> = {
  floor: 'Floor',
  manager: 'Manager',
  owner: 'Owner',
};

export const AUDIT_AREAS = [
  'games',
  'machines',
  'leagues',
  'players',
  'screens',
  'staff',
  'system',
] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];

/** In the audit, the actor of calls with the operator key. */
export const COMMAND_LINE = 'Command line';

/**
 * The events of the console's stream (STAFF-07), by what has changed.
 * - `machines`: a machine's state, or the list of machines.
 * - `games`: a game was recorded or corrected.
 * - `held`: a game was held, or its hold ended.
 * - `reports`: a report was made or settled.
 * - `weeks`: figures, teams or matchups of a league.
 * - `screens`: televisions and notices.
 * - `staff`: people, links, devices and sessions.
 */
export const CONSOLE_TOPICS = [
  'machines',
  'games',
  'held',
  'reports',
  'weeks',
  'screens',
  'staff',
] as const;
export type ConsoleTopic = (typeof CONSOLE_TOPICS)[number];

/** The heartbeat. Its data is the server's time. */
export const BEAT = 'beat';
export const BEAT_MS = 15_000;

/** The life of a one-time link (P61). */
export const LINK_HOURS = 24;
export const DEVICE_NAME_MAX = 40;
export const AUDIT_PAGE = 50;
/** Older audit lines are deleted (P65). */
export const AUDIT_DAYS = 400;

/** The inbox lists at most this many decisions of the last DECISIONS_HOURS hours (GAME-13). */
export const DECISIONS_MAX = 20;
export const DECISIONS_HOURS = 24;

/** The shortest text of a search (OPS-18). */
export const SEARCH_LEAST = 2;

/** Staff see these, never the birth date (P65). */
export const AGE_BANDS = ['unknown', 'under 13', '13 to 15', '16 or 17', '18 or over'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

/** The band of an age in whole years. */
export function bandOf(age: number): AgeBand {
  if (age < 13) return 'under 13';
  if (age < 16) return '13 to 15';
  return age < 18 ? '16 or 17' : '18 or over';
}
