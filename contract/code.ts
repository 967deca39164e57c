/** Spec 9: a verification code is six digits. */
export const CODE_LENGTH = 6;
/** P22: how long the screen and the server wait before another code is mailed, in seconds. */
export const RESEND_COOLDOWN_S = 60;
