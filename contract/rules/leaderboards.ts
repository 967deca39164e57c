/** How many places of a board are stored each day (HAND-96). */
export const PLACES_KEPT = 100;
