/** The shortest text of a search (OPS-18). */
export const SEARCH_LEAST = 2;

/** Staff see these age bands, never the birth date (P65). */
export const AGE_BANDS = ['unknown', 'under 13', '13 to 15', '16 or 17', '18 or over'] as const;
export type AgeBand = (typeof AGE_BANDS)[number];

/** `age`: in whole years. */
export function bandOf(age: number): AgeBand {
  if (age < 13) return 'under 13';
  if (age < 16) return '13 to 15';
  return age < 18 ? '16 or 17' : '18 or over';
}

/**
 * Replaces the name of a deleted account, or of a former member whom the caller may not see
 * (ACC-60). Not a possible username: it has a space.
 */
export const FORMER_PLAYER = 'Former player';

export const PLAYERS_LIST_MAX = 1_000;

export const PLAYERS_FOUND_MAX = 20;
/** The most results of each kind that the search in the rail shows (HAND-C12). */
export const FOUND_OF_KIND = 5;
export const PLAYER_GAMES_MAX = 20;
