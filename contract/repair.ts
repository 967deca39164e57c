/** MACH-12. */
export const REPAIR_WHY_MAX = 120;
