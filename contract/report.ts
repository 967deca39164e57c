/** Counted in UTF-16 units, as a text field counts (GAME-11). */
export const REPORT_TEXT_MAX = 300;
