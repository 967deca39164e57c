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

/** A client closes a stream that is silent for much longer. */
export const HEARTBEAT_MS = 25_000;

/** SCREEN-04 */
export const SCREEN_HEARTBEAT_MS = 5_000;

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
