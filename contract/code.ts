/** P20 */
export const CODE_LENGTH = 6;
/** How many seconds must pass before another code (P22). */
export const RESEND_COOLDOWN_S = 60;
