/** A mail that waits longer than this needs a hand (STAFF-27). */
export const MAIL_LATE_MS = 15 * 60_000;
/** A last backup that is older than this needs a hand (STAFF-27). */
export const BACKUP_OLD_MS = 26 * 3_600_000;
