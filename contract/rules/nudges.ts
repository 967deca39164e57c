/** Team mates can nudge from this day of the week on, counted from Monday (NUDGE-02). */
export const NUDGE_FROM_DAY = 3;
/** Nobody is nudged any more when the week closes within this time (NUDGE-01). */
export const NUDGE_UNTIL_MS = 3_600_000;

export const NOT_ON_TEAM = 'Nobody of this name is on your team.';
export const CANNOT_TURN = 'No game of this player can turn the week now.';
export const NUDGED = 'This player was nudged this week.';
