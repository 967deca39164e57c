/** One name for each 30 degrees of hue, from 345 degrees on. */
const HUES = [
  'red',
  'orange',
  'yellow',
  'lime',
  'green',
  'sea green',
  'turquoise',
  'sky blue',
  'blue',
  'violet',
  'purple',
  'pink',
];
const DARK_BELOW = 40;
const LIGHT_FROM = 70;

/** A hue, 0 to 359, for readers: "blue" (HAND-C18). */
export const hueName = (hue: number): string => HUES[Math.floor((hue + 15) / 30) % 12] ?? '';

/** A colour for readers, from its hue and its lightness, 0 to 100: "blue, dark" (HAND-C18). */
export function colourName(hue: number, lightness: number): string {
  const name = hueName(hue);
  if (lightness < DARK_BELOW) return `${name}, dark`;
  return lightness < LIGHT_FROM ? name : `${name}, light`;
}
