import type { User } from '#contract/wire/profile.ts';
import { hasTeam, teamName } from './team.ts';

type Known = { email: string; team: string | null; former: string | null };

/** What this visit knows of the player's team. A visit lasts until the next page load. */
let known: Known | null = null;

/**
 * The team that `user` has lost since the last visit, or on this one; null if none, or once another
 * team has followed (HAND-48). Call it for each user that is read, on every page.
 */
export function formerTeam({ email, team }: Pick<User, 'email' | 'team'>): string | null {
  if (known?.email !== email) known = { email, team: null, former: null };
  if (hasTeam(team)) known = { email, team: teamName(team?.name), former: null };
  else if (known.team !== null) known = { email, team: null, former: known.team };
  return known.former;
}

/** The player has opened the strip. */
export function seeFormerTeam(): void {
  if (known !== null) known = { ...known, former: null };
}
