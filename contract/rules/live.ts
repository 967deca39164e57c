/** The events of a player's stream (API-14). They have no data: the client refetches. */
export const LIVE_EVENTS = [
  'game',
  'profile',
  'league',
  'contest',
  'cup',
  'friend',
  'duel',
] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/**
 * Every stream has a heartbeat. A page gives up a stream that is silent for SILENCE_MS (API-14).
 */
export const HEARTBEAT_MS = 25_000;
export const SILENCE_MS = 2.4 * HEARTBEAT_MS;

/** The heartbeat of the screens' stream (SCREEN-04, PROD-114). */
export const SCREEN_HEARTBEAT_MS = 5_000;
export const SCREEN_SILENCE_MS = 4 * SCREEN_HEARTBEAT_MS;

/**
 * The events of the console's stream (STAFF-07): what has changed. `games`: a game was recorded or
 * corrected. `weeks`: figures, teams or matchups of a league.
 * `contests`: contests and cups, and their ends. `screens`: screens or their notices.
 * `staff`: staff, their links, devices or sessions.
 */
export const CONSOLE_TOPICS = [
  'machines',
  'games',
  'held',
  'reports',
  'weeks',
  'contests',
  'screens',
  'staff',
] as const;
export type ConsoleTopic = (typeof CONSOLE_TOPICS)[number];

/** The heartbeat. Its data is the server's time. */
export const BEAT = 'beat';
export const BEAT_MS = 15_000;
export const BEAT_SILENCE_MS = 2.4 * BEAT_MS;

/**
 * How long a page waits before it opens a stream again, or repeats a call: twice as long after each
 * failure in a row. Random, so that pages do not all call at once.
 */
export const waitAfter = (failures: number, longestMs: number, firstMs = 1_000) =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
