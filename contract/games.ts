import { z } from 'zod';

/**
 * What a game counts for, and if not for the league, why not (contract 3 and 4). `bench` is a
 * counted game that is not among the week's best 4; `held` and `void` count nowhere.
 */
export const counts = z.enum([
  'league',
  'bench',
  'over_8',
  'league_mode_off',
  'no_team',
  'held',
  'void',
]);
export type Counts = z.infer<typeof counts>;

/** One row of GET /api/users/profile/games/. */
export const playedGame = z.object({
  id: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  machine: z.string(),
  venue: z.string().nullable(),
  counts,
  /** For `bench` and `league`: its place among the week's counted games by score, 1 to 8. */
  place: z.number().int().nullable(),
  /** The team it was played for, or null. */
  team: z.string().nullable(),
});
export const gamesQuery = z.object({ cursor: z.string().max(256).optional() });
/** How many games one answer has; a screen's chart fits into the first. */
export const GAMES_PAGE = 40;
export const gamesAnswer = z.object({
  results: z.array(playedGame),
  /** For the next, older games; null when there are none. */
  next: z.string().nullable(),
  /** All games that count, and the best of their scores (null without one), as on the profile. */
  games_played: z.number().int(),
  highscore: z.number().int().nullable(),
  /** When the player's first game was played; null before it. */
  since: z.string().nullable(),
});

export type PlayedGame = z.infer<typeof playedGame>;
export type GamesAnswer = z.infer<typeof gamesAnswer>;
