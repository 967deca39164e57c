/*
 * Texts about a game that staff decide on. Players read them after the decision (PROD-50, PROD-98).
 */

export const TAKEN_OUT = 'Taken out after review';
export const TAKEN_OUT_NOT_MINE = 'Taken out: not your game';
export const LOOKED_AT = 'Looked at: it stands.';
