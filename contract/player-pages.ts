import { z } from 'zod';
import { AGE_BANDS, SEARCH_LEAST } from './console.ts';
import { counts, reportReason } from './games.ts';
import { decided, weekChange } from './inbox.ts';
import { accountId, GAMES_LIST_MAX, playerAnswer } from './operator.ts';

export const PLAYERS_FOUND_MAX = 20;
export const PLAYER_GAMES_MAX = 20;

/** Without `text`: those who played last. */
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
      /** Masked; players/show/ has the whole address. */
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
  /** Whether there are more players than these. */
  more: z.boolean(),
});

/** `games`: how many of the newest to list. */
export const playerPageQuery = z.object({
  account: accountId,
  games: z.coerce.number().int().min(1).max(GAMES_LIST_MAX).default(PLAYER_GAMES_MAX),
});
/** An account as staff see it: a masked address and an age band, no birth date (P65). */
export const playerPage = playerAnswer.omit({ email: true }).extend({
  id: z.string(),
  /** Masked; players/show/ has the whole address. */
  address: z.string(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
  age: z.enum(AGE_BANDS),
  /** Younger players are visible in their league only (ACC-61); 0: no rule. */
  adult_age: z.number().int(),
  team: z
    .object({ id: z.string(), name: z.string(), league_id: z.string(), league: z.string() })
    .nullable(),
  /**
   * `games`: how many count this week for all teams, up to 8 (LEAGUE-03); `own`: how many of them
   * for the current team; `total`: the team's total of these.
   */
  week: z.object({ games: z.number().int(), own: z.number().int(), total: z.number().int() }),
  /** Where the player is signed in, last used first. */
  sessions: z.array(z.object({ client: z.string(), last_used_at: z.string() })),
  /** Newest first. */
  achievements: z.array(z.object({ name: z.string(), won_at: z.string() })),
  games: z.array(
    z.object({
      id: z.string(),
      /** Two machines may have games with one id (GAME-01). */
      machine_id: z.string(),
      machine: z.string(),
      score: z.number().int(),
      played_at: z.string(),
      state: z.enum(['counted', 'held', 'void', 'discarded']),
      counts,
      /** The game's number among its week's first eight, or null. */
      number: z.number().int().nullable(),
      team: z.string().nullable(),
      /** The latest decision about the game. */
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
  /** The player's newest audit line. */
  looked: z.object({ who: z.string(), what: z.string(), at: z.string() }).nullable(),
});

export type PlayersFound = z.infer<typeof playersFound>;
export type PlayerPage = z.infer<typeof playerPage>;
