/** The most characters of the text that says what is wrong with a machine (MACH-12). */
export const REPAIR_WHY_MAX = 120;
