import { ageOn } from '#contract/birthdate.ts';
import { bandOf } from '#contract/console.ts';
import type { Counts } from '#contract/games.ts';
import type { Decided } from '#contract/inbox.ts';
import type { PlayerPage } from '#contract/player-pages.ts';
import { isUnderAge } from '#contract/visibility.ts';
import { logTime } from '../ui/times.ts';

type Game = PlayerPage['games'][number];

const OUTSIDE: Record<Exclude<Counts, 'league' | 'bench'>, string> = {
  over_8: 'Over 8 games',
  league_mode_off: 'League mode off',
  no_team: 'No team',
  held: 'Held',
  void: 'Void',
};
const DID: Record<Decided['decision'], string> = {
  release: 'Released',
  discard: 'Discarded',
  void: 'Voided',
  restore: 'Restored',
  stands: 'Left as it is',
};

/**
 * Says what a game counts for: `League, 6 of 8`, `Bench for Air Ballers, 5 of 8`, `League mode off`
 */
export function countsFor(
  { counts, number, state, team }: Pick<Game, 'counts' | 'number' | 'state' | 'team'>,
  currentTeam: string | null,
): string {
  if (state === 'discarded') return 'Discarded';
  if (counts !== 'league' && counts !== 'bench') return OUTSIDE[counts];
  const where = counts === 'league' ? 'League' : 'Bench';
  const other = team === null || team === currentTeam ? '' : ` for ${team}`;
  return `${where}${other}, ${number} of 8`;
}

/**
 * The last decision about a game, with its author and time: `Voided by Ines, Thu 19 Nov 09:10`.
 * null if nobody has decided.
 */
export function decidedBy(decided: Decided | null, now = new Date()): string | null {
  if (decided === null) return null;
  return `${DID[decided.decision]} by ${decided.by}, ${logTime(decided.at, now)}`;
}

/**
 * Says which age band the account would have with this birth date, and what that changes for
 * others. null while the date is incomplete or in the future.
 */
export function becomes(
  date: string,
  { age, adult_age }: Pick<PlayerPage, 'age' | 'adult_age'>,
  now = new Date(),
): { age: string; effect: string } | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || date > now.toISOString().slice(0, 10)) return null;
  const band = bandOf(ageOn(date, now));
  if (band === 'under 13') return { age: band, effect: 'perhaps too young to have an account' };
  if (isUnderAge(date, adult_age, now))
    return { age: band, effect: 'only their league sees the name' };
  return {
    age: band,
    effect: band === age ? 'nothing changes for others' : 'they choose who sees the name',
  };
}
