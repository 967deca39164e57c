import { z } from 'zod';
import {
  AVATAR_COLOR_INVALID,
  avatarColor,
  JERSEY_NUMBER_INVALID,
  jerseyNumber,
} from '../rules/jersey.ts';
import { VISIBILITIES, VISIBILITY_UNKNOWN } from '../rules/visibility.ts';
import { userAchievementsAnswer } from './achievements.ts';
import { duel } from './duels.ts';
import { pushKinds } from './push.ts';
import { ownSeason } from './seasons.ts';

/** `oidc`: a provider that the operator chooses (ACC-49). */
export const PROVIDERS = ['google', 'oidc'] as const;
export type ProviderId = (typeof PROVIDERS)[number];

export const signInMethod = z.enum(['password', ...PROVIDERS]);

export const userStat = z.object({
  games_played: z.number().int(),
  highscore: z.number().int(),
  /** Rounded half up to one decimal (GAME-04). */
  avg_score: z.number(),
});

export const visibility = z.enum(VISIBILITIES, VISIBILITY_UNKNOWN);

/** The player, as in every response (API-10). */
export const user = z.object({
  uuid: z.string(),
  email: z.string(),
  /** Empty until profile setup (ACC-03). */
  username: z.string(),
  profile_setup_complete: z.boolean(),
  has_set_password: z.boolean(),
  sign_in_methods: z.array(signInMethod),
  date_of_birth: z.string().nullable(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  league_mode_enabled: z.boolean(),
  team: z.object({ name: z.string() }).nullable(),
  visibility,
  /** The widest visibility that is allowed now (ACC-61). */
  visibility_max: visibility.extract(['league', 'venue']),
  /** Whether the player has come of age and must choose a visibility (ACC-62). */
  visibility_question: z.boolean(),
  user_stat: userStat,
});

const stored = <T>(form: (typed: string) => T | null, message: string) =>
  z
    .string()
    .max(32, message)
    .transform((typed, context) => {
      const value = form(typed);
      if (value !== null) return value;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });

/**
 * PATCH /api/users/profile/. `has_set_password` and unknown fields are dropped; another `email` is
 * refused (P30a, ACC-04). `profile_setup_complete: true` requires a complete profile (ACC-05).
 */
export const profilePatch = z.object({
  date_of_birth: z.string().max(32).optional(),
  username: z.string().max(150).optional(),
  password: z.string().max(1024).optional(),
  avatar_color: stored(avatarColor, AVATAR_COLOR_INVALID).optional(),
  jersey_number: stored(jerseyNumber, JERSEY_NUMBER_INVALID).optional(),
  league_mode_enabled: z.boolean().optional(),
  visibility: visibility.optional(),
  email: z.string().max(320).optional(),
  profile_setup_complete: z.boolean().optional(),
  has_set_password: z.boolean().optional(),
});

/** DELETE /api/users/profile/ needs the password or a recent sign-in (ACC-28). */
export const deleteProfileBody = z.object({ password: z.string().max(1024).optional() });

/** DELETE /api/users/google/ and /api/users/oidc/ */
export const removeProviderBody = z.object({ password: z.string().max(1024) });

/** GET /api/users/profile/asks/: whether to ask about the name on the screens of `venue` (HAND-50). */
export const asksAnswer = z.object({ wall: z.object({ venue: z.string() }).nullable() });
/** POST /api/users/profile/asks/ */
export const asksBody = z.object({ wall: z.enum(['yes', 'no', 'later']) });

/** POST /api/users/profile/new-code/ */
export const newCodeAnswer = z.object({ uuid: z.string() });

/** GET /api/users/profile/export/: everything stored about the player (ACC-27). */
export const exportAnswer = z.object({
  exported_at: z.string(),
  user,
  account: z.object({
    created_at: z.string(),
    email_verified_at: z.string().nullable(),
    birthdate_refused_until: z.string().nullable(),
  }),
  identities: z.array(
    z.object({
      issuer: z.string(),
      subject: z.string(),
      authoritative: z.boolean(),
      created_at: z.string(),
    }),
  ),
  sessions: z.array(
    z.object({
      created_at: z.string(),
      last_used_at: z.string(),
      expires_at: z.string(),
      client: z.string(),
    }),
  ),
  team_changes: z.array(z.object({ at: z.string(), team: z.string().nullable() })),
  league_mode_changes: z.array(z.object({ at: z.string(), enabled: z.boolean() })),
  games: z.array(
    z.object({
      id: z.string(),
      machine: z.string(),
      venue: z.string().nullable(),
      score: z.number(),
      played_at: z.string(),
      received_at: z.string(),
      duration_s: z.number().nullable(),
      shots_made: z.number().nullable(),
      shots_attempted: z.number().nullable(),
      state: z.string(),
      held_reason: z.string().nullable(),
      team: z.string().nullable(),
      week: z.string().nullable(),
      outside: z.string().nullable(),
    }),
  ),
  /** The player's seasons, with their awards (SEASON-43). */
  seasons: z.array(ownSeason),
  game_reports: z.array(
    z.object({
      game: z.string(),
      reason: z.string(),
      text: z.string().nullable(),
      reported_at: z.string(),
      state: z.string(),
      settled_at: z.string().nullable(),
    }),
  ),
  /** Usernames; in `blocked`, null for a name that the player may no longer see (ACC-60). */
  friends: z.array(z.string()),
  blocked: z.array(z.string().nullable()),
  notifications: z.object({
    switches: pushKinds.nullable(),
    devices: z.array(
      z.object({ client: z.string(), host: z.string(), since: z.string(), seen_at: z.string() }),
    ),
  }),
  /** `rival`: a name, null if the player may not see it. `best` is only a score. */
  duels: z.array(
    duel
      .omit({ id: true })
      .extend({ rival: z.string().nullable(), best: z.number().int().nullable() }),
  ),
  /** Counts of the duels whose results no longer change, deleted ones included (DUEL-13). */
  final_duels: z.object({
    won: z.number().int(),
    lost: z.number().int(),
    level: z.number().int(),
  }),
  /** Nudges that the player got; `by_itself` for an automatic one. */
  nudges: z.array(z.object({ week: z.string(), at: z.string(), by_itself: z.boolean() })),
  /** Nudges that the player sent, without their receivers. */
  nudges_sent: z.array(z.object({ week: z.string(), at: z.string() })),
  /** Final contests (CONTEST-05). */
  contests: z.array(
    z.object({
      contest: z.string(),
      venue: z.string(),
      starts_at: z.string(),
      place: z.number().int(),
      points: z.number().int(),
      games: z.number().int(),
    }),
  ),
  /** The cups in which the player, or the player's team, has a side. `team`: a team side's name. */
  cups: z.array(
    z.object({
      cup: z.string(),
      venue: z.string().nullable(),
      team: z.string().nullable(),
      seed: z.number().int(),
    }),
  ),
  join_request: z.object({ team: z.string(), asked_at: z.string() }).nullable(),
  achievements: userAchievementsAnswer,
});

export const profileCalls = {
  'GET /api/users/profile/': { answer: user },
  'PATCH /api/users/profile/': { body: profilePatch, answer: user },
  'DELETE /api/users/profile/': { body: deleteProfileBody.nullish() },
  'GET /api/users/profile/asks/': { answer: asksAnswer },
  'POST /api/users/profile/asks/': { body: asksBody, answer: user },
  'POST /api/users/profile/new-code/': { answer: newCodeAnswer },
  'GET /api/users/profile/export/': { answer: exportAnswer },
};

export type User = z.infer<typeof user>;
export type Asks = z.infer<typeof asksAnswer>;
export type WallAnswer = z.infer<typeof asksBody>['wall'];
export type UserStat = z.infer<typeof userStat>;
export type NewCodeAnswer = z.infer<typeof newCodeAnswer>;
export type ProfilePatch = z.input<typeof profilePatch>;
