/** Teammates can nudge from this day of the week on; 0 is Monday (NUDGE-02). */
export const NUDGE_FROM_DAY = 3;
/** Nobody is nudged in this time before the week closes (NUDGE-01). */
export const NUDGE_UNTIL_MS = 3_600_000;
/** Whether the week that closes at `closesAt` has more than that left (NUDGE-01). */
export const isBeforeLastHour = (closesAt: string | Date, now: Date): boolean =>
  now.getTime() < new Date(closesAt).getTime() - NUDGE_UNTIL_MS;

export const NOT_ON_TEAM = 'Nobody of this name is on your team.';
export const CANNOT_TURN = 'No game of this player can turn the week now.';
export const NUDGED = 'This player was nudged this week.';
