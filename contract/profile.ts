import { z } from 'zod';
import {
  AVATAR_COLOR_INVALID,
  avatarColor,
  JERSEY_NUMBER_INVALID,
  jerseyNumber,
} from './jersey.ts';

export const signInMethod = z.enum(['password', 'google']);

export const userStat = z.object({
  games_played: z.number().int(),
  highscore: z.number().int(),
  /** Rounded half up to one decimal (contract 1). */
  avg_score: z.number(),
});

/** The player as every answer carries them (contract 2). */
export const user = z.object({
  uuid: z.string(),
  email: z.string(),
  /** Empty until profile setup: the placeholder of registration is never shown (contract 1). */
  username: z.string(),
  profile_setup_complete: z.boolean(),
  has_set_password: z.boolean(),
  sign_in_methods: z.array(signInMethod),
  /** `YYYY-MM-DD` */
  date_of_birth: z.string().nullable(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  league_mode_enabled: z.boolean(),
  team: z.object({ name: z.string() }).nullable(),
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
 * PATCH /api/users/profile/. Every field is optional; fields that are not listed are dropped
 * (P30a). The two flags are accepted and ignored: the server derives both (contract 1).
 * Rules that need the account (name taken, age, password list) are checked by the server.
 */
export const profilePatch = z.object({
  date_of_birth: z.string().max(32).optional(),
  username: z.string().max(150).optional(),
  password: z.string().max(1024).optional(),
  avatar_color: stored(avatarColor, AVATAR_COLOR_INVALID).optional(),
  jersey_number: stored(jerseyNumber, JERSEY_NUMBER_INVALID).optional(),
  league_mode_enabled: z.boolean().optional(),
  email: z.string().max(320).optional(),
  profile_setup_complete: z.boolean().optional(),
  has_set_password: z.boolean().optional(),
});

/** DELETE /api/users/profile/: the password, or a sign-in of the last five minutes without one. */
export const deleteProfileBody = z.object({ password: z.string().max(1024).optional() });
/** POST /api/users/profile/new-code/ */
export const newCodeAnswer = z.object({ uuid: z.string() });

export type User = z.infer<typeof user>;
export type UserStat = z.infer<typeof userStat>;
export type NewCodeAnswer = z.infer<typeof newCodeAnswer>;
export type ProfilePatch = z.input<typeof profilePatch>;
