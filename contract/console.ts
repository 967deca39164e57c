/**
 * Each role has the rights of those before it. `floor` sees machines, marks them in repair and
 * prints posters. `manager` runs machines, games, leagues and players. `owner` also manages staff
 * and the system (STAFF-01).
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

/** The actor in the audit for calls with the operator key. */
export const COMMAND_LINE = 'Command line';

/**
 * The events of the console's stream (STAFF-07), each with what has changed.
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

/** The stream's heartbeat. Its data is the server's time. */
export const BEAT = 'beat';
export const BEAT_MS = 15_000;

/** A one-time link expires after this many hours (P61). */
export const LINK_HOURS = 24;
export const DEVICE_NAME_MAX = 40;
/** How many audit lines a page has. */
export const AUDIT_PAGE = 50;
/** Audit lines are deleted after this many days (P65). */
export const AUDIT_DAYS = 400;

/** The inbox lists at most this many decisions, of the last DECISIONS_HOURS (GAME-13). */
export const DECISIONS_MAX = 20;
export const DECISIONS_HOURS = 24;

/** A search for players needs at least this many characters (OPS-18). */
export const SEARCH_LEAST = 2;

/** Ages as staff see them. Staff never see the birth date (P65). */
export const AGE_BANDS = ['unknown', 'under 13', '13 to 15', '16 or 17', '18 or over'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

/** The age band of an age in whole years. */
export function bandOf(age: number): AgeBand {
  if (age < 13) return 'under 13';
  if (age < 16) return '13 to 15';
  return age < 18 ? '16 or 17' : '18 or over';
}
