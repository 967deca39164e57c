/**
 * The events of a player's stream (API-14). `game`: one of their games was recorded or corrected.
 * `profile`: their profile changed elsewhere. `league`: something changed in their league. Events
 * have no data; the client refetches what may be stale.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/**
 * The interval of heartbeats. After a much longer silence, a client takes the connection for dead.
 */
export const HEARTBEAT_MS = 25_000;
