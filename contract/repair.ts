/** The longest text about what is wrong with a machine (MACH-12). */
export const REPAIR_WHY_MAX = 120;
