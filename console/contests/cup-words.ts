import { inFull } from '#contract/rules/games.ts';
import type { CupPairing, CupSide } from '#contract/wire/cups.ts';

/** A side's name for staff, or the pairing that decides who the side is. */
export const sideName = ({ seed, team, username, from }: CupSide): string =>
  team ?? username ?? from ?? (seed === null ? 'Nobody' : 'Former player');

/** What a pairing's line says below its sides. `of`: how many games of a side count. */
export function pairingWords({ how, decided, games, a, b }: CupPairing, of: number): string {
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
      if (decided) return 'Decided';
      if (games !== null) return `${games[0]}/${of} and ${games[1]}/${of} games`;
      return a.from === null && b.from === null ? 'To come' : 'Waits';
  }
}

/** A side that did not come has no sum. */
export function sumWords({ sums, games, decided }: CupPairing, at: number): string {
  if (sums === null) return '';
  return decided && games?.[at] === 0 ? '–' : inFull(sums[at] ?? 0);
}

/** Warns that televisions do not name some sides. */
export const unnamedWords = (sides: number): string =>
  sides === 1
    ? '1 of the sides is shown as “A player” on televisions, because of who may see its name.'
    : `${sides} of the sides are shown as “A player” on televisions, because of who may see their names.`;

export const ONE_SIDE_A_LINE = 'One side a line, the best seed first';

/** Splits a text into names at `between`. Teams need '\n', because their names may have commas. */
export const namesIn = (text: string, between: ',' | '\n'): string[] =>
  text
    .split(between)
    .map((name) => name.trim())
    .filter((name) => name !== '');
