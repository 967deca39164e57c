import type { CupPage, CupPairing, CupSide } from '#contract/wire/cups.ts';

/** A side's name on a phone: the team, the player, `A player` with the seed, or what it waits for. */
export function sideName({ seed, team, username, from }: CupSide): string {
  if (team !== null) return team;
  if (username !== null) return username;
  if (from !== null) return from;
  return seed === null ? 'Nobody' : `A player (seed ${seed})`;
}

/** What stands under a pairing: when it is played, or how it was decided. */
export function pairingText({ how, decided }: CupPairing, time: string): string {
  switch (how) {
    case 'bye':
      return 'Bye';
    case 'no_show':
      return 'No show';
    case 'walkover':
      return 'Walkover';
    case 'ruling':
      return 'Decided by the house';
    case 'best_game':
      return 'Level: the better game';
    case 'seed':
      return 'Level: the better seed';
    default:
      return decided ? 'Decided' : time;
  }
}

/** What stands in the painted square: the score to beat, `Any`, or `Done` without a game left. */
export function gainTarget({ to_gain }: NonNullable<CupPage['mine']>): string {
  if (to_gain === null) return 'Done';
  return to_gain === 0 ? 'Any' : String(to_gain);
}

/** The own pairing of a cup, and its round's number; null without one. */
export function ownPairing({
  rounds,
  mine,
}: CupPage): { pairing: CupPairing; round: number } | null {
  if (mine?.pairing == null) return null;
  const round = rounds.findIndex(({ pairings }) => pairings.some(({ id }) => id === mine.pairing));
  const pairing = rounds[round]?.pairings.find(({ id }) => id === mine.pairing);
  return pairing === undefined ? null : { pairing, round };
}

/** The round that is shown first: the own one, else the first that is open, else the last. */
export function firstRound(page: CupPage): number {
  const own = ownPairing(page);
  if (own !== null && !own.pairing.decided) return own.round;
  const open = page.rounds.findIndex(({ pairings }) => pairings.some(({ decided }) => !decided));
  return open === -1 ? page.rounds.length - 1 : open;
}
