/** The page of a season of a league. */
export const seasonPath = (league: string, season: string): string =>
  `/console/leagues/${league}/season?season=${season}`;

/** The contests, after a cup or a night is cancelled. The page says so. */
export const cancelledPath = (what: 'cup' | 'night'): string =>
  `/console/contests?cancelled=${what}`;
