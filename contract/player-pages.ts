import { z } from 'zod';
import { SEARCH_LEAST } from './console.ts';
import { playerAnswer } from './operator.ts';

export const PLAYERS_FOUND_MAX = 20;
export const PLAYER_GAMES_MAX = 20;

/** Without `text`: the players who played last. */
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
      /** Only the first letters; the player's page has the whole address. */
      address: z.string(),
      avatar_color: z.string().nullable(),
      jersey_number: z.string().nullable(),
      team: z.string().nullable(),
      last_played_at: z.string().nullable(),
      games_played: z.number().int(),
      highscore: z.number().int(),
    }),
  ),
  /** Whether there are more than these. */
  more: z.boolean(),
});

export const accountRef = z.object({
  account: z.string().regex(/^\d{1,15}$/, 'This is not the number of an account.'),
});
/** An account as staff see it: an age band, never the birth date (P65). */
export const playerPage = playerAnswer.extend({
  id: z.string(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
  age: z.enum(['unknown', 'under 13', '13 to 15', '16 or 17', '18 or over']),
  games: z.array(
    z.object({
      id: z.string(),
      machine: z.string(),
      score: z.number().int(),
      played_at: z.string(),
      state: z.enum(['counted', 'held', 'void', 'discarded']),
    }),
  ),
});

export type PlayersFound = z.infer<typeof playersFound>;
export type PlayerPage = z.infer<typeof playerPage>;
