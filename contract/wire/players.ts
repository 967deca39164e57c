import { z } from 'zod';
import { GAMES_LIST_MAX } from '../rules/games.ts';
import { AGE_BANDS, PLAYER_GAMES_MAX, PLAYERS_LIST_MAX, SEARCH_LEAST } from '../rules/players.ts';
import { codeText } from './accounts.ts';
import { accountId, day, email, name, onePlayer } from './fields.ts';
import { counts, reportReason } from './games.ts';
import { decided, weekChange } from './inbox.ts';
import { PROVIDERS, signInMethod } from './profile.ts';

const REASON_MAX = 100;

/** GET players/, for a simulated arcade: complete profiles, oldest first. */
export const playersQuery = z.object({
  count: z.coerce.number().int().min(1).max(PLAYERS_LIST_MAX).default(PLAYERS_LIST_MAX),
});
export const playersAnswer = z.object({
  results: z.array(z.object({ uuid: z.string(), username: z.string() })),
});

/** If a number names the player, answers mask the `email`, except that of players/show/. */
export const playerRef = onePlayer({});
export const playerAnswer = z.object({
  email: z.string(),
  username: z.string().nullable(),
  verified: z.boolean(),
  profile_setup_complete: z.boolean(),
  sign_in_methods: z.array(signInMethod),
  created_at: z.string(),
  sessions: z.number().int(),
  team: z.object({ name: z.string(), league: z.string() }).nullable(),
  league_mode_enabled: z.boolean(),
  games_played: z.number().int(),
  highscore: z.number().int(),
  avg_score: z.number(),
  held_games: z.number().int(),
});

/** Signs out one player, or all (P8). */
export const signOutBody = z.union([playerRef, z.object({ all: z.literal(true) })]);

/** `email` is null if all players were signed out. */
export const signedOutAnswer = z.object({
  email: z.string().nullable(),
  sessions_ended: z.number().int(),
});

/** Mails a code to the new address (P30b). */
export const changeEmailBody = onePlayer({ new_email: email });
export const changeEmailAnswer = z.object({
  email: z.string(),
  new_email: z.string(),
  valid_until: z.string(),
});
export const confirmEmailBody = onePlayer({ new_email: email, code: codeText });
export const emailChangedAnswer = z.object({
  email: z.string(),
  sessions_ended: z.number().int(),
  providers_unlinked: z.array(z.enum(PROVIDERS)),
});
const ANY_DATE = /\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,4}/;

/** `reason` goes into the audit, so it must not contain a date (P65). Staff must give a reason. */
export const birthdateBody = onePlayer({
  date_of_birth: day,
  reason: name(REASON_MAX, 'reason')
    .refine((text) => !ANY_DATE.test(text), 'Leave the date out: the audit has no birth dates.')
    .optional(),
});
export const birthdateAnswer = z.object({ email: z.string(), date_of_birth: z.string() });
export const deletedAnswer = z.object({ email: z.string(), games_kept: z.number().int() });

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
      /** The masked address (P65). */
      address: z.string(),
      avatar_color: z.string().nullable(),
      jersey_number: z.string().nullable(),
      team: z.string().nullable(),
      /** Whether the player is on a team out of the caller's reach. */
      other_team: z.boolean(),
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
  /**
   * Whether the caller reaches the player; if not, the answer has no age and no sessions
   * (STAFF-02).
   */
  reached: z.boolean(),
  age: z.enum(AGE_BANDS),
  /** The setting ADULT_AGE (ACC-61). */
  adult_age: z.number().int(),
  team: z
    .object({ id: z.string(), name: z.string(), league_id: z.string(), league: z.string() })
    .nullable(),
  /** Whether the player is on a team out of the caller's reach; `team` is then null (STAFF-40). */
  other_team: z.boolean(),
  /**
   * `games`: how many games count this week, for all teams, up to 8 (LEAGUE-03). `own`: how many of
   * them count for the current team. `total`: the player's total for that team. `counts`: whether
   * the week counts in a season of that team (SEASON-04).
   */
  week: z.object({
    games: z.number().int(),
    own: z.number().int(),
    total: z.number().int(),
    counts: z.boolean(),
  }),
  /** Last used first. */
  sessions: z.array(z.object({ client: z.string(), last_used_at: z.string() })),
  /** Newest first. */
  achievements: z.array(z.object({ name: z.string(), won_at: z.string() })),
  games: z.array(
    z.object({
      game: z.string(),
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
  /** How many games the caller may see, counted up to 1,000. */
  games_total: z.number().int(),
  /** The newest audit line about the player. */
  looked: z.object({ who: z.string(), what: z.string(), at: z.string() }).nullable(),
});

export const playerCalls = {
  'GET /api/operator/players/': { query: playersQuery, answer: playersAnswer },
  'POST /api/operator/players/search/': { body: playerSearch, answer: playersFound },
  'GET /api/operator/players/page/': { query: playerPageQuery, answer: playerPage },
  'POST /api/operator/players/show/': { body: playerRef, answer: playerAnswer },
  'POST /api/operator/players/sign-out/': { body: signOutBody, answer: signedOutAnswer },
  'POST /api/operator/players/change-email/': { body: changeEmailBody, answer: changeEmailAnswer },
  'POST /api/operator/players/confirm-email/': {
    body: confirmEmailBody,
    answer: emailChangedAnswer,
  },
  'POST /api/operator/players/birthdate/': { body: birthdateBody, answer: birthdateAnswer },
  'POST /api/operator/players/delete/': { body: playerRef, answer: deletedAnswer },
};

export type PlayerAnswer = z.infer<typeof playerAnswer>;
export type PlayersFound = z.infer<typeof playersFound>;
export type PlayerPage = z.infer<typeof playerPage>;
