/** Counted in UTF-16 units, as a text field does (GAME-11). */
export const REPORT_TEXT_MAX = 300;
