const UNKNOWN_TEAM = 'Unknown Team';

/** A stored user's team, in all forms in which it may be stored (ACC-24). */
type StoredTeam = { name?: string | null } | null | undefined;

/** The name that is shown for a team (PROD-37). */
export function teamName(name: string | null | undefined): string {
  return name?.trim() || UNKNOWN_TEAM;
}

/** null and `{}` are no team; a team may have no name (ACC-24). */
export function hasTeam(team: StoredTeam): boolean {
  return !!team && Object.keys(team).length > 0;
}
