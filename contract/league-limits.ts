/** A season longer than a year is assumed to be a typing error. */
export const SEASON_WEEKS_MAX = 53;
/** Size limit of a roster file; enough for some six thousand players. */
export const ROSTER_BYTES = 256 * 1024;
