import { z } from 'zod';
import { achievementKey } from './achievements.ts';
import { counts } from './games.ts';

/** The most games of a report (MACH-03, P31g). */
export const BATCH_MAX = 500;
/** How far ahead of the server's clock `played_at` may be (P31e). */
export const AHEAD_MAX_MS = 5 * 60_000;
export const AGE_MAX_MS = 30 * 24 * 3_600_000;
export const SCORE_LIMIT = 2_147_483_647;
/** The largest body of a report (P31g). */
export const BATCH_BYTES = 256 * 1024;
/** P31g. */
export const CALLS_PER_SECOND = 10;
export const CALLS_BURST = 50;

/** GET /api/machine/ */
export const machineAnswer = z.object({
  id: z.string().meta({ example: '1' }),
  name: z.string(),
  venue: z.string().nullable(),
  server_time: z.string(),
});

/** GET /api/machine/players/{uuid}/, without the address (MACH-02). */
export const greetingAnswer = z.object({
  username: z.string(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  team: z.object({ name: z.string() }).nullable(),
  league_mode_enabled: z.boolean(),
  league_games_left: z.number().int(),
  server_time: z.string(),
});

export const STATUS_EVERY_MS = 60_000;
export const SOFTWARE_MAX = 60;
const count = z.number().int().min(0).max(SCORE_LIMIT).nullish();
/**
 * PUT /api/machine/status/: what only the machine knows (MACH-10). `queued`: how many games are on
 * its disk. `rejected`: how many were set aside.
 */
export const machineStatus = z.object({
  queued: count,
  oldest_played_at: z.iso.datetime({ offset: true }).nullish(),
  rejected: count,
  software: z.string().max(SOFTWARE_MAX).nullish(),
  playing: z.boolean().nullish(),
});
/**
 * A machine's state (MACH-11). A machine that has just called is `playing`, `idle`, `clock` or
 * `repair`.
 */
export const machineStateWord = z.enum([
  'playing',
  'idle',
  'silent',
  'closed',
  'refused',
  'clock',
  'repair',
]);
export const statusAnswer = z.object({ server_time: z.string(), state: machineStateWord });

/**
 * The machine makes `id` when the game starts; `played_at` is that time, with `Z` or an offset,
 * stored to the millisecond. A null field counts as absent.
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
 * POST /api/machine/games/. A game's schema only describes the API: the server validates each game
 * on its own, so that a bad one does not block the others (MACH-03).
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

/** Why a game is held (GAME-07). */
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
    /** As sent; null if it was no string. */
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
export type MachineStatus = z.infer<typeof machineStatus>;
export type MachineStateWord = z.infer<typeof machineStateWord>;
export type GameResult = z.infer<typeof gameResult>;
export type GamesRecorded = z.infer<typeof gamesRecorded>;
export type Greeting = z.infer<typeof greetingAnswer>;
