/** The places of a board that are kept each night (HAND-96). */
export const PLACES_KEPT = 100;
