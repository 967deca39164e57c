/** A player's jersey until the player chooses one (ACC-14). */
export const DEFAULT_AVATAR_COLOR = '#377AD3';
export const DEFAULT_JERSEY_NUMBER = '00';
export const JERSEY_NUMBER_MAX = 99;
export const HUE_MAX = 359;
export const AVATAR_SATURATION = 70;
export const AVATAR_LIGHTNESS = 54;
export const SHADE_LIGHTNESSES = [30, 45, 60, 75, 90] as const;

export const JERSEY_NUMBER_INVALID = 'Jersey number must be between 0 and 99';
export const AVATAR_COLOR_INVALID = 'Avatar colour must look like #377AD3';

/** '7' and 7 become '07'; null unless one or two digits (ACC-14). */
export function jerseyNumber(typed: string | number): string | null {
  const text = String(typed);
  return /^[0-9]{1,2}$/.test(text) ? text.padStart(2, '0') : null;
}

/** '#377ad3' becomes '#377AD3'; null unless `#` and six hex digits. */
export function avatarColor(typed: string): string | null {
  return /^#[0-9a-fA-F]{6}$/.test(typed) ? typed.toUpperCase() : null;
}
