/** The jersey on a 200 x 220 grid. */

export const BODY =
  'M60 10 82 6C85 27 115 27 118 6L140 10C140 42 150 66 178 77C175 92 174 108 174 126V208C174 212 171 214 167 214H33C29 214 26 212 26 208V126C26 108 25 92 22 77C50 66 60 42 60 10Z';
export const SIDES = 'M20 70H38C36 100 38 150 38 220H20ZM180 70H162C164 100 162 150 162 220H180Z';
export const FOLD = 'M100 205Q60 214 26 196V220H174V190Q140 214 100 205Z';

/** The neckline and armholes, as strokes. */
export const TRIM = 'M82 6C85 27 115 27 118 6M60 10C60 42 50 66 22 77M140 10C140 42 150 66 178 77';

/** Digits as strokes on a 42 x 64 grid, which need no font. */
export const DIGITS = [
  'M6 15 15 6H27L36 15V49L27 58H15L6 49Z',
  'M13 13.5 23 6V58M13.5 58H32.5',
  'M6 17V15L15 6H27L36 15V25L7 51V58H32.5',
  'M6 17V15L15 6H27L36 15V23L28 31.5H21M28 31.5L36 40V49L27 58H15L6 49V47',
  'M29 58.5V5L6 38V45H37',
  'M31 6H8V28H27L36 37V49L27 58H15L6 49V47',
  'M36 17V15L27 6H15L6 15V49L15 58H27L36 49V38L28 30H6',
  'M9.5 6H35V16L20.5 58',
  'M15 6H27L35 14V24L27 31.5H15L7 24V14ZM15 31.5H27L36 40V50L27 58H15L6 50V40Z',
  'M6 47V49L15 58H27L36 49V15L27 6H15L6 15V26L14 34H36',
] as const;

export const SECOND_DIGIT = 53;

/** The number's place and scale on the jersey's grid, below a name and without one. */
export const UNDER_THE_NAME = { x: 45.5, y: 99, scale: 1.15 };
export const ALONE = { x: 38, y: 72, scale: 1.3 };

/** Advance widths in the display face, in em. */
const ADVANCE: Record<string, number> = {
  A: 0.461,
  B: 0.457,
  C: 0.472,
  D: 0.478,
  E: 0.395,
  F: 0.392,
  G: 0.475,
  H: 0.47,
  I: 0.223,
  J: 0.437,
  K: 0.477,
  L: 0.388,
  M: 0.718,
  N: 0.525,
  O: 0.479,
  P: 0.454,
  Q: 0.479,
  R: 0.461,
  S: 0.458,
  T: 0.402,
  U: 0.47,
  V: 0.475,
  W: 0.766,
  X: 0.454,
  Y: 0.448,
  Z: 0.403,
  '0': 0.49,
  '1': 0.265,
  '2': 0.473,
  '3': 0.487,
  '4': 0.495,
  '5': 0.497,
  '6': 0.482,
  '7': 0.466,
  '8': 0.483,
  '9': 0.482,
  _: 0.38,
  '-': 0.43,
};
const UNKNOWN_ADVANCE = 0.5;
export const LETTER_SPACING = 0.03;

const NAME_WIDTH = 108;
const NAME_SIZE_MAX = 26;

/** A name's width at font size `size`, in grid units. */
export function nameWidth(name: string, size: number): number {
  let em = 0;
  for (const letter of name) em += (ADVANCE[letter] ?? UNKNOWN_ADVANCE) + LETTER_SPACING;
  return em * size;
}

/**
 * The font size, in grid units, at which an upper-case name fits between the armholes (LOOK-22).
 */
export function nameSize(name: string): number {
  return Math.min(NAME_SIZE_MAX, Math.floor((NAME_WIDTH * 10) / nameWidth(name, 1)) / 10);
}
