import type { CupPairing, CupSide } from '#contract/wire/cups.ts';
import { points } from './words.ts';

/** A side's name for staff, or what it waits for. */
export const sideName = ({ seed, team, username, from }: CupSide): string =>
  team ?? username ?? from ?? (seed === null ? 'Nobody' : 'Former player');

/** What a pairing's line says below its sides. */
export function pairingWords({ how, decided, games, sums }: CupPairing, time: string): string {
  switch (how) {
    case 'bye':
      return 'Bye';
    case 'no_show':
      return 'No show';
    case 'walkover':
      return 'Walkover';
    case 'ruling':
      return 'Ruling';
    case 'best_game':
      return 'Level: the better game';
    case 'seed':
      return 'Level: the better seed';
    case 'score':
      return 'Decided';
    default:
      if (decided || sums === null || games === null) return time;
      return `${games[0]} and ${games[1]} games, ${time}`;
  }
}

export const sumWords = (sums: number[] | null, at: number): string =>
  sums === null ? '' : points(sums[at] ?? 0);
