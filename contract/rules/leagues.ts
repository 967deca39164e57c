/** The most players of a team, unless TEAM_MAX is set (LEAGUE-12). */
export const TEAM_MAX_DEFAULT = 12;

/** The most weeks of a season. A longer season is probably a typing error. */
export const SEASON_WEEKS_MAX = 53;

/** The most rows of an imported roster. A process reads this many in 0.1 s. */
export const ROSTER_ROWS = 5_000;
export const ROSTER_BYTES = 256 * 1024;

export const TEAM_NAME_MAX = 40;
export const TEAM_ADD_MAX = 500;
/** The most teams made at once (HAND-C3). */
export const TEAMS_AT_ONCE = 40;

/** The longest reason for a ruling, a postponement, a withdrawal or a correction (OPS-03). */
export const REASON_MAX = 200;

/** How many days after the end of a season the profile offers it (SEASON-42). */
export const SEASON_OFFERED_DAYS = 14;

/** How many days after grace open cases can delay the end of a season (SEASON-21). */
export const OPEN_AT_MOST_DAYS = 14;

/** The reason of a week that is left out of a schedule from the start (SEASON-50). */
export const LEFT_OUT = 'Left out of the plan';

/** The most postponed weeks of a season (SEASON-33). */
export const PAUSES_MAX = 8;

const WEEK_MS = 7 * 24 * 3_600_000;

/** The first week from `week` on that is not in `paused`, all as Mondays (SEASON-32). */
export function firstPlayed(week: string, paused: readonly string[]): string {
  let at = week;
  while (paused.includes(at)) at = new Date(Date.parse(at) + WEEK_MS).toISOString().slice(0, 10);
  return at;
}

/** What keeps a season open (SEASON-21): `2 held games and 1 report`; empty if nothing does. */
export function openWords({ held, complaints }: { held: number; complaints: number }): string {
  return [
    ...(held === 0 ? [] : held === 1 ? ['1 held game'] : [`${held} held games`]),
    ...(complaints === 0 ? [] : complaints === 1 ? ['1 report'] : [`${complaints} reports`]),
  ].join(' and ');
}

/** For how long a player who did not type the code is told of a new team (HAND-47). */
export const NEW_ON_TEAM_DAYS = 7;
