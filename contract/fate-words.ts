/*
 * What a player reads about a game that staff decided on (PROD-50, PROD-98), and staff before they
 * decide.
 */

export const TAKEN_OUT = 'Taken out after review';
export const TAKEN_OUT_NOT_MINE = 'Taken out: not your game';
export const LOOKED_AT = 'Looked at: it stands.';
