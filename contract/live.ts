/**
 * What the event stream of a player tells (contract 2): `game`, a game of theirs was recorded or
 * corrected; `profile`, their profile was changed elsewhere; `league`, something has moved in the
 * league they play in. An event has no data: whoever hears it reads anew what may be stale.
 */
export const LIVE_EVENTS = ['game', 'profile', 'league'] as const;
export type LiveEvent = (typeof LIVE_EVENTS)[number];

/** A stream that is silent for much longer than this has died without a word. */
export const HEARTBEAT_MS = 25_000;
