/* What a contest counts, its limits and its words (CONTEST-01, CONTEST-03). */

export const SCORINGS = ['best', 'best3', 'first_n'] as const;
export type Scoring = (typeof SCORINGS)[number];

export const CONTEST_NAME_MAX = 40;
export const PRIZES_MAX = 200;
/** How many games count for `first_n` by default. */
export const FIRST_N = 5;
export const FIRST_N_MAX = 20;
export const BEST_THREE = 3;

export const CONTEST_MINUTES_MIN = 15;
export const CONTEST_HOURS_MAX = 12;
export const CONTEST_HOURS = 3;
/** A contest begins at most this many days ahead. */
export const CONTEST_DAYS_AHEAD = 60;
/** The most contests of a venue at the same time. */
export const CONTESTS_AT_ONCE = 2;

/** How many places the board of a contest's page has. */
export const CONTEST_BOARD = 20;
/** How long after its end a contest waits for its machines (CONTEST-05). */
export const CONTEST_GRACE_MS = 15 * 60_000;
/** Until when, at most, a contest is shown alone, in ms since 1970 (CONTEST-09). */
export const aloneUntil = (ends_at: string): number => Date.parse(ends_at) + CONTEST_GRACE_MS;
/** How long the winner's slide is alone on the screens (CONTEST-09). */
export const WINNER_MS = 3 * 60_000;
/** How long before its start the profile shows a contest (CONTEST-10). */
export const STRIP_BEFORE_MS = 60 * 60_000;
/** For how many days a final contest can be corrected (CONTEST-06). */
export const CORRECTABLE_DAYS = 30;

/**
 * Why a contest or cup waits for a machine (FRAME-04): the machine has not reported since the end,
 * still has games to send, or is being played.
 */
export const LOUD = ['silent', 'queued', 'playing'] as const;
export type Loud = (typeof LOUD)[number];

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
] as const;
const inWords = (n: number) => NUMBERS[n] ?? String(n);

/** What counts, such as “best three games, together”. */
export function whatCounts(scoring: Scoring, n: number): string {
  if (scoring === 'best' || (scoring === 'first_n' && n === 1))
    return scoring === 'best' ? 'best game' : 'first game';
  return `${scoring === 'best3' ? 'best three' : `first ${inWords(n)}`} games, together`;
}

/** How many games count at most. */
export const countingGames = (scoring: Scoring, n: number): number =>
  scoring === 'best' ? 1 : scoring === 'best3' ? BEST_THREE : n;
