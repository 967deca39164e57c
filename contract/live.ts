/** The events of a player's stream (API-14). They have no data: the client refetches. */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** A client closes a stream that is silent for much longer. */
export const HEARTBEAT_MS = 25_000;
