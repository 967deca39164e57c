/** The page of a season of a league. */
export const seasonPath = (league: string, season: string): string =>
  `/console/leagues/${league}/season?season=${season}`;

/** The page of the contests, which then says that a cup or a night is cancelled. */
export const cancelledPath = (what: 'cup' | 'night'): string =>
  `/console/contests?cancelled=${what}`;
