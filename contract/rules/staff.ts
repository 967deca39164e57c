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
  'contests',
  'players',
  'screens',
  'staff',
  'system',
] as const;
export type AuditArea = (typeof AUDIT_AREAS)[number];

/** In the audit, the actor of calls with the operator key. */
export const COMMAND_LINE = 'Command line';

/** How long a staff link works (P61). */
export const LINK_HOURS = 24;
export const DEVICE_NAME_MAX = 40;
export const AUDIT_PAGE = 50;

/** Older audit lines are deleted (P65). */
export const AUDIT_DAYS = 400;
