/**
 * The events of a player's stream (API-14). They have no data: the client refetches.
 * - `game`: a game of the player was recorded or corrected.
 * - `profile`: the player's profile changed elsewhere.
 * - `league`: the player's league changed.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** The interval of heartbeats. A client closes a stream that is silent for much longer. */
export const HEARTBEAT_MS = 25_000;
