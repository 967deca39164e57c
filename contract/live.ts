/**
 * The events of a player's stream (API-14).
 * - `game`: a game of the player was recorded or corrected.
 * - `profile`: the player's profile changed elsewhere.
 * - `league`: the player's league changed.
 * Events have no data. The client refetches what may be stale.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** A client that gets no data for much longer assumes that the connection is dead. */
export const HEARTBEAT_MS = 25_000;
