import { z } from 'zod';
import { BATCH_MAX, REPAIR_WHY_MAX, SCORE_LIMIT, SOFTWARE_MAX } from '../rules/machines.ts';
import { achievementKey } from './achievements.ts';
import { characters, email, id, NAME_MAX, name, plain, ref, time } from './fields.ts';
import { counts, heldReason } from './games.ts';
import { claimBody, pairAnswer } from './pairing.ts';

/** GET /api/machine/ */
export const machineAnswer = z.object({
  id: z.string().meta({ example: '1' }),
  name: z.string(),
  venue: z.string().nullable(),
  server_time: z.string(),
});

export const greetingParams = z.object({ uuid: z.string() });
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
const SOFTWARE_WORDS = `software has at most ${SOFTWARE_MAX} characters.`;
const count = z.number().int().min(0).max(SCORE_LIMIT).nullish();

/**
 * PUT /api/machine/status/: what only the machine knows (MACH-10). `queued`: how many games are on
 * its disk. `rejected`: how many were set aside.
 */
export const machineStatus = z.object({
  queued: count,
  oldest_played_at: z.iso.datetime({ offset: true }).nullish(),
  rejected: count,
  software: z
    .string()
    .refine((text) => characters(text) <= SOFTWARE_MAX, SOFTWARE_WORDS)
    .meta({ maxLength: SOFTWARE_MAX })
    .nullish(),
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

/** The server's words for a bad score, shared with clients (MACH-36). */
export const SCORE_WORDS = `score must be a whole number from 0 to ${SCORE_LIMIT}.`;

/**
 * The machine makes `id` when the game starts; `played_at` is that time, with `Z` or an offset,
 * stored to the millisecond. A null field counts as absent.
 */
export const machineGame = z.object({
  id: z.guid(),
  player: z.guid(),
  score: z.number(SCORE_WORDS).int(SCORE_WORDS).min(0, SCORE_WORDS).max(SCORE_LIMIT, SCORE_WORDS),
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
    /** The id as sent; null if it was not a string. */
    id: z.string().nullable(),
    status: z.literal('rejected'),
    reason: rejectReason,
    detail: z.string(),
  }),
]);
export const gamesRecorded = z.object({ results: z.array(gameResult), server_time: z.string() });

export const machineBody = z.object({
  name: name(NAME_MAX),
  venue: name(NAME_MAX).optional(),
  /** The time zone of a venue that this call adds; UTC by default. */
  timezone: z.string().min(1).max(64).optional(),
  /** The code on the machine's display. With it the machine claims its key (P114). */
  code: z.string().max(64).optional(),
});
export const machineRef = z.object({ machine: ref });

/** The only answer with the key (P31a). */
export const machineKeyAnswer = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  key: z.string(),
});
/** `key` is null for a machine that was added by its code. */
export const machineAddedAnswer = machineKeyAnswer.extend({ key: z.string().nullable() });
/** `key` is null until staff have typed the code. The first claim after that gets it; later ones get 404. */
export const keyClaimedAnswer = z.object({ key: z.string().nullable() });

/** `old_key_until`: when the previous key expires, or null (OPS-06). */
export const machineRotatedAnswer = machineKeyAnswer.extend({
  old_key_until: z.string().nullable(),
});

/** `key`: a key's id; by default, the key replaced in the last rotation. */
export const machineKeyRef = machineRef.extend({ key: z.string().min(1).max(40).optional() });

/** `stopped`: the id of the stopped key; null if the key had ended before the call (MACH-21). */
export const machineKeyStoppedAnswer = z.object({
  id,
  name: z.string(),
  stopped: z.string().nullable(),
});
export const machineRow = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  games_today: z.number().int(),
  /** The machine's clock minus the server's; null before the first Date header. */
  clock_error_ms: z.number().nullable(),
  revoked: z.boolean(),
  /** Whether the key is older than a year (P31a). */
  key_due: z.boolean(),
  state: machineStateWord,
  repair_by: z.string().nullable(),
  repair_why: z.string().nullable(),
});
export const machinesAnswer = z.object({ results: z.array(machineRow) });

/**
 * Puts a machine into repair; `done` ends it and removes `why` (MACH-12). `why`: what is wrong;
 * null removes it, omitting it keeps it.
 */
export const repairBody = z.object({
  machine: ref,
  done: z.boolean().default(false),
  why: plain(REPAIR_WHY_MAX, 'The reason').nullable().optional(),
});

/** Adds the venue, in UTC, if it does not exist. */
export const machineChangeBody = z.object({
  machine: ref,
  name: name(NAME_MAX).optional(),
  venue: name(NAME_MAX).optional(),
});

/**
 * The address for a person's mails about machines (MACH-15); null stops them. `staff` is the caller
 * by default.
 */
export const alertBody = z.object({ staff: ref.optional(), email: email.nullable() });
export const alertRow = z.object({ name: z.string(), email: z.string().nullable() });
export const alertsAnswer = z.object({ results: z.array(alertRow) });

/** null when the account was deleted. */
const person = z
  .object({ username: z.string(), avatar_color: z.string(), jersey_number: z.string() })
  .nullable();

/** Times are ISO, with Z (MACH-16). */
export const machineCard = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  timezone: z.string(),
  state: machineStateWord,
  since: time.nullable(),
  revoked: z.boolean(),
  /** Whether every key that the machine has used has ended (MACH-22). */
  keyless: z.boolean(),
  repair_by: z.string().nullable(),
  repair_why: z.string().nullable(),
  heard_at: time.nullable(),
  /** Positive when the clock is fast. */
  clock_error_ms: z.number().nullable(),
  /** When the alert about the clock began. */
  clock_since: time.nullable(),
  /** When the last status came; the next four fields are from it. */
  reported_at: time.nullable(),
  queued: z.number().int().nullable(),
  oldest_played_at: time.nullable(),
  rejected: z.number().int().nullable(),
  software: z.string().nullable(),
  /** Who was greeted last; null while nobody is playing. */
  player: person,
  greeted_at: time.nullable(),
  last_game: z
    .object({ played_at: time, score: z.number().int(), username: z.string().nullable() })
    .nullable(),
  games: z.number().int(),
  hours: z.array(z.number().int()),
});

export const machinePageQuery = z.object({ machine: z.string().min(1).max(200) });

/** GET /api/operator/machines/page/ */
export const machinePage = z.object({
  server_time: time,
  until: time.nullable(),
  machine: machineCard,
  /** The staff who get mails about this machine (MACH-15). */
  mails_to: z.array(z.string()),
  night: z.object({
    opens: time,
    /** Whether the venue is open. */
    open: z.boolean(),
    players: z.number().int(),
    held: z.number().int(),
  }),
  /** The held games of all nights that “Discard all held games” reaches (GAME-14). */
  held: z.number().int(),
  games: z.array(
    z.object({
      game: z.string(),
      played_at: time,
      score: z.number().int(),
      /** `id`: the account's number. */
      player: person.unwrap().extend({ id }).nullable(),
      team: z.string().nullable(),
      counts,
      state: z.enum(['counted', 'held', 'void', 'discarded']),
    }),
  ),
  /** Times without a call, newest first. `closed`: outside opening hours. */
  away: z.array(z.object({ from: time, to: time, closed: z.boolean() })),
  /**
   * The keys that work, and those that ended within the last 30 days or since the last rotation,
   * newest first. `ends_at` is null without an end.
   */
  keys: z.array(
    z.object({
      id: z.string(),
      created_at: time,
      last_used_at: time.nullable(),
      ends_at: time.nullable(),
    }),
  ),
});

export const machineCalls = {
  'GET /api/machine/': { answer: machineAnswer },
  'GET /api/machine/players/:uuid/': { params: greetingParams, answer: greetingAnswer },
  'PUT /api/machine/status/': { body: machineStatus, answer: statusAnswer },
  'POST /api/machine/games/': { body: gamesBody, answer: gamesRecorded },
  'POST /api/machine/pair/': { answer: pairAnswer },
  'POST /api/machine/pair/claim/': { body: claimBody, answer: keyClaimedAnswer },
  'GET /api/operator/alerts/': { answer: alertsAnswer },
  'POST /api/operator/alerts/': { body: alertBody, answer: alertRow },
  'GET /api/operator/machines/': { answer: machinesAnswer },
  'GET /api/operator/machines/show/': { query: machineRef, answer: machineRow },
  'POST /api/operator/machines/': { body: machineBody, created: machineAddedAnswer },
  'POST /api/operator/machines/rotate/': { body: machineRef, answer: machineRotatedAnswer },
  'POST /api/operator/machines/stop-old-key/': {
    body: machineKeyRef,
    answer: machineKeyStoppedAnswer,
  },
  'POST /api/operator/machines/revoke/': { body: machineRef, answer: machineRow },
  'GET /api/operator/machines/page/': { query: machinePageQuery, answer: machinePage },
  'POST /api/operator/machines/repair/': { body: repairBody, answer: machineRow },
  'POST /api/operator/machines/change/': { body: machineChangeBody, answer: machineRow },
};

export type RejectReason = z.infer<typeof rejectReason>;
export type MachineGame = z.infer<typeof machineGame>;
export type MachineStatus = z.infer<typeof machineStatus>;
export type MachineStateWord = z.infer<typeof machineStateWord>;
export type GameResult = z.infer<typeof gameResult>;
export type GamesRecorded = z.infer<typeof gamesRecorded>;
export type Greeting = z.infer<typeof greetingAnswer>;
export type MachineKey = z.infer<typeof machineKeyAnswer>;
export type MachineKeyStopped = z.infer<typeof machineKeyStoppedAnswer>;
export type MachineRow = z.infer<typeof machineRow>;
export type MachineCard = z.infer<typeof machineCard>;
export type MachinePage = z.infer<typeof machinePage>;
