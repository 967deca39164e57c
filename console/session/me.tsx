import { createContext, type ReactNode, use } from 'react';
import { ROLE_NAMES, type Role, reaches } from '#contract/rules/staff.ts';
import type { Me } from '#contract/wire/staff.ts';

const MeContext = createContext<Me | null>(null);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** @throws Error outside a MeProvider */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) throw new Error('useMe must be used within a MeProvider');
  return me;
}

/** Whether the person has at least the rights of the role `least`. */
export function useMay(least: Role): boolean {
  return reaches(useMe().role, least);
}

/** `Manager, Dockside Arcade` */
export function roleWords({ role, limited, venues, leagues }: Me): string {
  const places = limited
    ? [...venues, ...leagues].map(({ name }) => name).join(', ') || 'no venue yet'
    : 'all venues';
  return `${ROLE_NAMES[role]}, ${places}`;
}
