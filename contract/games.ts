import { z } from 'zod';

/**
 * Whether a game counts for the league and, if not, why not (GAME-06). A `bench` game is one of the
 * week's counted games but not one of the best 4; `held` and `void` games count nowhere.
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

/** A game in GET /api/users/profile/games/. */
export const playedGame = z.object({
  id: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  machine: z.string(),
  venue: z.string().nullable(),
  counts,
  /** For `league` and `bench`: the rank by score among the week's counted games, 1 to 8. */
  place: z.number().int().nullable(),
  team: z.string().nullable(),
});
export const gamesQuery = z.object({ cursor: z.string().max(256).optional() });
/** Games per page. The chart on a screen needs only the first page. */
export const GAMES_PAGE = 40;
export const gamesAnswer = z.object({
  results: z.array(playedGame),
  /** The cursor of the next, older page; null on the last. */
  next: z.string().nullable(),
  /**
   * How many games count, and the best score among them (null without a game), as on the profile.
   */
  games_played: z.number().int(),
  highscore: z.number().int().nullable(),
  /** When the player's first game was played, or null. */
  since: z.string().nullable(),
});

export type PlayedGame = z.infer<typeof playedGame>;
export type GamesAnswer = z.infer<typeof gamesAnswer>;
