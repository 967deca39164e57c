/** The most decisions in the inbox, and their greatest age (GAME-13). */
export const DECISIONS_MAX = 20;
export const DECISIONS_HOURS = 24;

/** For this long, a decision can be undone where it was made (OPS-17). */
export const UNDO_S = 10;
/** A player is told about a decision after this long, if it still stands (OPS-17). */
export const TELL_AFTER_S = 60;

/** The inbox lists at most this many held games, this many reports and this many requests to join. */
export const INBOX_MAX = 20;

/** A case lists at most this many of the player's last counted games. */
export const RECENT_MAX = 30;
