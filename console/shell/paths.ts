/** The page of a season of a league. */
export const seasonPath = (league: string, season: string): string =>
  `/console/leagues/${league}/season?season=${season}`;
