/** The digits of a verification code (P20). */
export const CODE_LENGTH = 6;
/** The least time between two codes (P22). */
export const RESEND_COOLDOWN_S = 60;
