import { z } from 'zod';
import { AGE_BANDS, SEARCH_LEAST } from './console.ts';
import { counts, reportReason } from './games.ts';
import { decided, weekChange } from './inbox.ts';
import { accountId, GAMES_LIST_MAX, playerAnswer } from './operator.ts';

export const PLAYERS_FOUND_MAX = 20;
export const PLAYER_GAMES_MAX = 20;

/** Without `text`, finds the players who played last. */
export const playerSearch = z.object({
  text: z
    .string()
    .trim()
    .min(SEARCH_LEAST, `Type at least ${SEARCH_LEAST} characters.`)
    .max(254, 'Type at most 254 characters.')
    .optional(),
});
export const playersFound = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      username: z.string().nullable(),
      /** Masked (P65). */
      address: z.string(),
      avatar_color: z.string().nullable(),
      jersey_number: z.string().nullable(),
      team: z.string().nullable(),
      last_played_at: z.string().nullable(),
      last_machine: z.string().nullable(),
      games_played: z.number().int(),
      highscore: z.number().int(),
    }),
  ),
  more: z.boolean(),
});

/** `games`: how many of the newest games to list. */
export const playerPageQuery = z.object({
  account: accountId,
  games: z.coerce.number().int().min(1).max(GAMES_LIST_MAX).default(PLAYER_GAMES_MAX),
});
/** An account as staff see it, with a masked address (P65). */
export const playerPage = playerAnswer.omit({ email: true }).extend({
  id: z.string(),
  address: z.string(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
  age: z.enum(AGE_BANDS),
  /** The setting ADULT_AGE (ACC-61). */
  adult_age: z.number().int(),
  team: z
    .object({ id: z.string(), name: z.string(), league_id: z.string(), league: z.string() })
    .nullable(),
  /**
   * `games`: how many count this week for all teams, up to 8 (LEAGUE-03). `own`: how many of them
   * count for the current team. `total`: the player's total for that team.
   */
  week: z.object({ games: z.number().int(), own: z.number().int(), total: z.number().int() }),
  /** Last used first. */
  sessions: z.array(z.object({ client: z.string(), last_used_at: z.string() })),
  /** Newest first. */
  achievements: z.array(z.object({ name: z.string(), won_at: z.string() })),
  games: z.array(
    z.object({
      id: z.string(),
      /** Games of two machines may have the same id (GAME-01). */
      machine_id: z.string(),
      machine: z.string(),
      score: z.number().int(),
      played_at: z.string(),
      state: z.enum(['counted', 'held', 'void', 'discarded']),
      counts,
      /** The game's number among its week's first eight, or null. */
      number: z.number().int().nullable(),
      team: z.string().nullable(),
      decided: decided.nullable(),
      /**
       * What voiding a counted game, or restoring a void one, changes in the week. null for other
       * games, and without a team.
       */
      week: weekChange.nullable(),
      /** The newest report of the game. */
      report: z
        .object({ reason: reportReason, state: z.enum(['open', 'void', 'stands']) })
        .nullable(),
    }),
  ),
  /** The games that the caller may see, counted up to 1,000. */
  games_total: z.number().int(),
  /** The newest audit line about the player. */
  looked: z.object({ who: z.string(), what: z.string(), at: z.string() }).nullable(),
});

export type PlayersFound = z.infer<typeof playersFound>;
export type PlayerPage = z.infer<typeof playerPage>;
