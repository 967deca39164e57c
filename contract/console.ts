/** Each role has the rights of those before it (STAFF-01). */
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
 * The events of the console's stream (STAFF-07): what has changed. `games`: a game was recorded or
 * corrected. `weeks`: figures, teams or matchups of a league. `screens`: screens or their notices.
 * `staff`: staff, their links, devices or sessions.
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

/** P61. */
export const LINK_HOURS = 24;
export const DEVICE_NAME_MAX = 40;
export const AUDIT_PAGE = 50;
/** Older audit lines are deleted (P65). */
export const AUDIT_DAYS = 400;

/** The most decisions in the inbox, and their greatest age (GAME-13). */
export const DECISIONS_MAX = 20;
export const DECISIONS_HOURS = 24;

/** The shortest text of a search (OPS-18). */
export const SEARCH_LEAST = 2;

/** Staff see these, never the birth date (P65). */
export const AGE_BANDS = ['unknown', 'under 13', '13 to 15', '16 or 17', '18 or over'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

/** `age`: in whole years. */
export function bandOf(age: number): AgeBand {
  if (age < 13) return 'under 13';
  if (age < 16) return '13 to 15';
  return age < 18 ? '16 or 17' : '18 or over';
}
