/** The most players of a team, unless TEAM_MAX is set (LEAGUE-12). */
export const TEAM_MAX_DEFAULT = 12;

/** A longer season is probably a typing error. */
export const SEASON_WEEKS_MAX = 53;

/** The most rows of an imported roster. A process reads this many in 0.1 s. */
export const ROSTER_ROWS = 5_000;
export const ROSTER_BYTES = 256 * 1024;

export const TEAM_NAME_MAX = 40;
export const TEAM_ADD_MAX = 500;

/** Postponed weeks of a season (SEASON-33). */
export const PAUSES_MAX = 8;
