/** The length of a report's text (GAME-11), in UTF-16 units, as a text field counts them. */
export const REPORT_TEXT_MAX = 300;
