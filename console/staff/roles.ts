import type { Role } from '#contract/rules/staff.ts';
import type { StaffRow } from '#contract/wire/staff.ts';

/** What each role may do, in one sentence (STAFF-25). */
const ROLE_SAYS: Record<Role, string> = {
  owner: 'Everything in every venue; staff, audit and system too.',
  manager: 'Machines, inbox, leagues, players and screens. Not staff, audit and system.',
  floor: 'Sees machines, marks them in repair, prints join posters. Does not answer the inbox.',
};

/** What a role may do at these venues; null: in general, without names of venues. */
export function roleSays(role: Role, venues: readonly string[] | null): string {
  if (role === 'owner' || venues === null || venues.length === 0) return ROLE_SAYS[role];
  const names = venues.join(' and ');
  return role === 'floor'
    ? `${ROLE_SAYS.floor} Only at ${names}.`
    : `Only at ${names}: the machines and screens there, and the games, players and leagues of those venues. Cannot change a player’s address or delete an account.`;
}

/** `Dockside Arcade, City League` */
export const placesInWords = ({ everything, venues, leagues }: StaffRow) =>
  everything
    ? 'all venues'
    : [...venues, ...leagues].map(({ name }) => name).join(', ') || 'no venue yet';

/** The rows of the panel “What each may do”. */
export const RIGHTS: readonly [Role, string][] = (['owner', 'manager', 'floor'] as const).map(
  (role) => [role, ROLE_SAYS[role]],
);
