import { z } from 'zod';
import { achievementKey } from './achievements.ts';
import { counts } from './games.ts';

/** Contract 3, P31g. */
export const BATCH_MAX = 500;
/** P31e: how far ahead of the server a game may claim to be, and how old, in milliseconds. */
export const AHEAD_MAX_MS = 5 * 60_000;
export const AGE_MAX_MS = 30 * 24 * 3_600_000;
/** A score that does not fit this is no score at all (`bad_score`). */
export const SCORE_LIMIT = 2_147_483_647;
/** P31g: how large the body of a batch may be, in bytes. */
export const BATCH_BYTES = 256 * 1024;
/** P31g: calls of one machine in a second, and how many it may make at once after a rest. */
export const CALLS_PER_SECOND = 10;
export const CALLS_BURST = 50;
/** A game without `duration_s` is taken to last this long, in seconds. */
export const SHORTEST_GAME_S = 30;
/** More games of one player within an hour than this are not believed at once. */
export const HOUR_GAMES_MAX = 3600 / SHORTEST_GAME_S;

/** GET /api/machine/ */
export const machineAnswer = z.object({
  id: z.string().meta({ example: '1' }),
  name: z.string(),
  venue: z.string().nullable(),
  server_time: z.string(),
});

/** GET /api/machine/players/{uuid}/: what the machine greets the player with, never the e-mail. */
export const greetingAnswer = z.object({
  username: z.string(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  team: z.object({ name: z.string() }).nullable(),
  league_mode_enabled: z.boolean(),
  league_games_left: z.number().int(),
  server_time: z.string(),
});

/**
 * One game as a machine reports it. `id` is made by the machine when the game starts; `played_at` is
 * that moment, with `Z` or an offset, kept to the millisecond. Null means the same as left out.
 */
export const machineGame = z.object({
  id: z.guid(),
  player: z.guid(),
  score: z.number().int().min(0).max(SCORE_LIMIT),
  played_at: z.iso.datetime({ offset: true }),
  duration_s: z.number().min(0).max(86_400).nullish(),
  shots_made: z.number().int().min(0).max(100_000).nullish(),
  shots_attempted: z.number().int().min(0).max(100_000).nullish(),
});
/**
 * POST /api/machine/games/. Each game is judged on its own, so the batch takes anything (contract 3);
 * only the API's description says what a game should be.
 */
export const gamesBody = z.object({
  games: z
    .array(z.unknown().meta(z.toJSONSchema(machineGame, { target: 'openapi-3.0' })))
    .min(1)
    .max(BATCH_MAX),
});

export const rejectReason = z.enum([
  'unknown_player',
  'bad_score',
  'bad_time',
  'conflict',
  'malformed',
]);

/**
 * Why a game is kept back for the operator: its score is over MAX_SCORE, the player has more games
 * in that hour than time allows, or was playing on another machine at that moment.
 */
export const heldReason = z.enum(['over_max_score', 'too_many_games', 'two_machines']);

export const gameResult = z.discriminatedUnion('status', [
  z.object({
    id: z.string(),
    status: z.literal('recorded'),
    counts: counts.extract(['league', 'over_8', 'league_mode_off', 'no_team']),
    personal_best: z.boolean(),
    achievements: z.array(achievementKey),
  }),
  z.object({ id: z.string(), status: z.literal('duplicate') }),
  z.object({ id: z.string(), status: z.literal('held'), reason: heldReason }),
  z.object({
    /** As it was sent when it was a string, else null. */
    id: z.string().nullable(),
    status: z.literal('rejected'),
    reason: rejectReason,
    detail: z.string(),
  }),
]);
export const gamesRecorded = z.object({ results: z.array(gameResult), server_time: z.string() });

export type HeldReason = z.infer<typeof heldReason>;
export type RejectReason = z.infer<typeof rejectReason>;
export type MachineGame = z.infer<typeof machineGame>;
export type GameResult = z.infer<typeof gameResult>;
export type GamesRecorded = z.infer<typeof gamesRecorded>;
export type Greeting = z.infer<typeof greetingAnswer>;
