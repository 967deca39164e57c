/**
 * The events of a player's stream (API-14). `game`: a game of the player was recorded or corrected.
 * `profile`: the player's profile changed elsewhere. `league`: something changed in the player's
 * league. Events have no data; the client refetches what may be stale.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/**
 * The interval of heartbeats. After a much longer silence, a client takes the connection for dead.
 */
export const HEARTBEAT_MS = 25_000;
