/** How long an offer is open (DUEL-03). */
export const OFFER_HOURS = 48;
/** A duel ends at the start of this day after its acceptance (DUEL-03). */
export const DUEL_ENDS_ON_DAY = 8;
/** The most offers a player can have open, and the most running duels (DUEL-07). */
export const OFFERS_OPEN_MAX = 3;
export const DUELS_RUNNING_MAX = 3;
/** How long a player waits after a decline before offering the same rival a duel (DUEL-07). */
export const AFTER_DECLINE_DAYS = 7;
/** A duel is decided this long after its end, so that games on their way arrive (DUEL-06). */
export const DECIDED_AFTER_MINUTES = 10;
/** After this many days the result no longer changes (DUEL-06). */
export const FINAL_AFTER_DAYS = 31;
export const DUELS_PAGE = 20;

/** One sentence for every reason that must stay secret (DUEL-11). */
export const NO_DUEL = 'No duel with this player now.';
export const DUEL_BETWEEN = 'There is a duel between you already.';
export const DUEL_CHANGED = 'This duel is over or has changed.';
export const OFFERS_FULL = `You have ${OFFERS_OPEN_MAX} open offers. Take one back, or wait for an answer.`;
export const RUNNING_FULL = `You have ${DUELS_RUNNING_MAX} duels running. Wait until one ends.`;
export const DUELS_OFF = 'Your duels are off. Turn them on in Account.';

export type DuelResult = 'won' | 'lost' | 'level' | 'none';

/** The result for the player whose best is `own`; null means no game (DUEL-05). */
export function duelResult(own: number | null, other: number | null): DuelResult {
  if (own === null && other === null) return 'none';
  const difference = (own ?? -1) - (other ?? -1);
  return difference > 0 ? 'won' : difference < 0 ? 'lost' : 'level';
}
