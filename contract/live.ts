/**
 * The events of a player's stream (API-14).
 * - `game`: a game of the player was recorded or corrected.
 * - `profile`: the player's profile changed elsewhere.
 * - `league`: the player's league changed. Events have no data: the client refetches.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** After much longer without data, a client takes the connection for dead. */
export const HEARTBEAT_MS = 25_000;
