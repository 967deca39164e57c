/** The most decisions in the inbox, and their greatest age (GAME-13). */
export const DECISIONS_MAX = 20;
export const DECISIONS_HOURS = 24;

/** The most held games, and the most reports, in the inbox. */
export const INBOX_MAX = 20;

/** A case lists at most this many of the player's last counted games. */
export const RECENT_MAX = 30;
