/**
 * The events of a player's stream (API-14). `game`: one of their games was recorded or corrected.
 * `profile`: their profile was changed elsewhere. `league`: something changed in their league. An
 * event has no data; the client refetches what may be stale.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** Interval of heartbeats. A client treats a much longer silence as a dead connection. */
export const HEARTBEAT_MS = 25_000;
