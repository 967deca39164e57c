/** Digits of a verification code (P20). */
export const CODE_LENGTH = 6;
/** Seconds before another code may be requested (P22). */
export const RESEND_COOLDOWN_S = 60;
