/** A jersey's colours, by WCAG 2 contrast (LOOK-20, LOOK-21). Hex is `#RRGGBB`. */

const WHITE = '#FFFFFF';
const DARK_INK = '#0B1226';
const SHADOW = '#050B1C';

/** The least contrast of white on the body, as WCAG 2 requires for large text. */
const WHITE_MIN = 3;
const WHITE_OUTLINE_MIN = 7;

/** Dark ink needs more contrast than white, because gaps in thin dark glyphs look filled. */
const DARK_OUTLINE_MIN = 11;

/** The least share of SHADOW in the outline of white glyphs, so that it stands out. */
const DARKEN_FROM = 0.3;

/** The least share of WHITE in the outline of dark glyphs. */
const LIGHTEN_FROM = 0.55;
const MIX_STEP = 0.05;

type Channels = [red: number, green: number, blue: number];

export function channels(hex: string): Channels {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(rgb: Channels): string {
  return `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** Mixes two colours: `share` 0 gives `from`, 1 gives `to`. */
export function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  const at = (index: 0 | 1 | 2) => a[index] * (1 - share) + b[index] * share;
  return toHex([at(0), at(1), at(2)]);
}

function luminance(hex: string): number {
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  const [red, green, blue] = channels(hex);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** WCAG contrast of two colours in any order, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The jersey of a player whom the viewer may not see (LOOK-70). */
export const GREY_JERSEY = { body: '#C3CBD8', trim: '#9AA5BA' };

export type JerseyColours = { ink: string; trim: string };

/**
 * The colours of a jersey's glyphs: `ink` fills them; `trim` is their outline, with enough contrast
 * to `ink` (LOOK-20, LOOK-21).
 */
export function jerseyColours(body: string): JerseyColours {
  const white = contrast(WHITE, body) >= WHITE_MIN;
  const [ink, towards, floor, from] = white
    ? ([WHITE, SHADOW, WHITE_OUTLINE_MIN, DARKEN_FROM] as const)
    : ([DARK_INK, WHITE, DARK_OUTLINE_MIN, LIGHTEN_FROM] as const);
  let share: number = from;
  let trim = mix(body, towards, share);
  while (contrast(ink, trim) < floor && share < 1) {
    share += MIX_STEP;
    trim = mix(body, towards, Math.min(share, 1));
  }
  return { ink, trim };
}
