/** A longer season is probably a typing error. */
export const SEASON_WEEKS_MAX = 53;
/** The largest roster: about six thousand players. */
export const ROSTER_BYTES = 256 * 1024;
