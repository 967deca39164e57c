/** Whether a machine needs a hand, unless it was taken out of service (HAND-C7). */
export const needsHand = ({ state, revoked }: { state: string; revoked: boolean }): boolean =>
  !revoked && ['silent', 'refused', 'clock'].includes(state);

/** The longest note about what is wrong with a machine (MACH-12). */
export const REPAIR_WHY_MAX = 120;

/** The most games of a report (MACH-03, P31g). */
export const BATCH_MAX = 500;

/** How far ahead of the server's clock `played_at` may be (P31e). */
export const AHEAD_MAX_MS = 5 * 60_000;
export const AGE_MAX_MS = 30 * 24 * 3_600_000;
export const SCORE_LIMIT = 2_147_483_647;

/** The largest body of a report (P31g). */
export const BATCH_BYTES = 256 * 1024;

/** How often a machine may call (P31g). */
export const CALLS_PER_SECOND = 10;
export const CALLS_BURST = 50;

export const STATUS_EVERY_MS = 60_000;
export const SOFTWARE_MAX = 60;

/** The most games, and the most silences, on a machine's page. */
export const LAST_GAMES = 20;
export const LAST_AWAY = 10;
