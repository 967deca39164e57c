import { z } from 'zod';
import { LOUD } from '../rules/contests.ts';
import {
  CUP_BEST_MAX,
  CUP_HOW,
  CUP_KINDS,
  CUP_MINUTES,
  CUP_MINUTES_MAX,
  CUP_MINUTES_STEP,
  CUP_NAME_MAX,
  CUP_OF_MAX,
  CUP_PAUSE,
  CUP_PAUSE_MAX,
  CUP_SIDES_MAX,
  CUP_SIDES_MIN,
  CUP_WINDOWS,
} from '../rules/cups.ts';
import { REASON_MAX } from '../rules/leagues.ts';
import { begin, id, moment, name, plain, ref } from './fields.ts';
import { named } from './leagues.ts';

/** A machine that a contest or cup waits for (FRAME-04). */
export const waitingMachine = z.object({
  machine: z.string(),
  queued: z.number().int().nullable(),
  why: z.enum(LOUD),
});

export const cupState = z.enum(['planned', 'running', 'final']);
const how = z.enum(CUP_HOW);

/**
 * `from`: where a side that is not known yet comes from, such as `Winner of QF 2`. All null: an
 * empty slot.
 */
const cupSide = z.object({
  seed: z.number().int().nullable(),
  team: z.string().nullable(),
  ...named.shape,
  from: z.string().nullable(),
});
const pairing = z.object({
  /** Such as `1-0`: the round and the slot, from 0. */
  id: z.string(),
  /** Such as `QF 2`. */
  label: z.string(),
  a: cupSide,
  b: cupSide,
  /** The winner's seed, or null. */
  winner: z.number().int().nullable(),
  decided: z.boolean(),
  how: how.nullable(),
  /** The sums of both sides; null before the pairing begins, and without games. */
  sums: z.array(z.number().int()).nullable(),
  /** How many games of both sides count. */
  games: z.array(z.number().int()).nullable(),
  /** null for a bye. */
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  /** The first and last day if the window is in weeks, in the cup's zone; otherwise null. */
  days: z.object({ from: z.string(), to: z.string() }).nullable(),
});
const round = z.object({
  name: z.string(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  pairings: z.array(pairing),
});
const cup = z.object({
  id,
  name: z.string(),
  /** null: all venues. */
  venue: z.string().nullable(),
  kind: z.enum(CUP_KINDS),
  sides: z.number().int(),
  best: z.number().int(),
  of: z.number().int(),
  per_player: z.number().int().nullable(),
  state: cupState,
  league: z.string().nullable(),
  /** The season of `league` whose title this cup decides (CUP-02), or null. */
  season: z.string().nullable(),
});

/** GET /api/cups/{id}/ (CUP-30). The pairing for third place stands in the last round. */
export const cupPage = cup.extend({
  now: z.string(),
  rounds: z.array(round),
  /** The champion; null until the cup is final, or if nobody won it. */
  champion: cupSide.nullable(),
  mine: z
    .object({
      seed: z.number().int(),
      /** The side's open pairing, otherwise its last one; null before its first. */
      pairing: z.string().nullable(),
      /** The score to beat; 0 if any game counts; null if all games are used or nothing is open. */
      to_gain: z.number().int().nullable(),
      games_left: z.number().int(),
      /** How many of the player's own games count in the pairing, and how many may. */
      own_games: z.number().int(),
      own_max: z.number().int(),
      /** Whether the side has left the cup (CUP-16). */
      withdrew: z.boolean(),
      /** Whether the side can still leave (CUP-34). */
      can_leave: z.boolean(),
    })
    .nullable(),
});
export const cupParams = z.object({ id: z.string().regex(/^\d{1,9}$/) });

/** The cup on the profile (CUP-31). */
export const runningCup = z.object({
  id,
  name: z.string(),
  /** Such as `Semi-final`. */
  pairing: z.string(),
  now: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  /** How many points the player's side is ahead; negative if it is behind. */
  ahead: z.number().int(),
  /** How many more games of the player can count in the pairing. */
  games_left: z.number().int(),
  /** Whether both sides are known. */
  known: z.boolean(),
  kind: z.enum(CUP_KINDS),
});

// --- Staff ------------------------------------------------------------------------------------

/** A cup's name, or its id. */
export const cupRef = z.object({ cup: ref });
/** A pairing's label, such as `QF 2`, or its id, such as `0-1`. */
const pairingRef = z.string().trim().min(1).max(20);
const reason = plain(REASON_MAX, 'A reason');
const windowChange = z.object({
  pairing: pairingRef,
  starts: moment.optional(),
  ends: moment.optional(),
});
const windowChanges = z.array(windowChange).max(64);

export const cupBody = z.object({
  name: name(CUP_NAME_MAX),
  from: z.enum(['season', 'contest', 'week', 'sides']),
  season: ref.optional(),
  contest: ref.optional(),
  /** The league whose teams `sides` names. Without a league, the sides are players. */
  league: ref.optional(),
  /** The venue; for teams, by default all venues. */
  venue: ref.optional(),
  /** The sides, best seed first: teams by name or id, players by username or account number. */
  sides: z.array(ref).max(CUP_SIDES_MAX).optional(),
  /** How many to take from the top of a table or board. */
  size: z.number().int().min(CUP_SIDES_MIN).max(CUP_SIDES_MAX).optional(),
  best: z.number().int().min(1).max(CUP_BEST_MAX).optional(),
  of: z.number().int().min(1).max(CUP_OF_MAX).optional(),
  per_player: z.number().int().min(1).max(CUP_OF_MAX).optional(),
  third: z.boolean().optional(),
  windows: z.enum(CUP_WINDOWS).default('hours'),
  /** By default, the next full hour; for weeks, the next Monday. */
  starts: begin.optional(),
  minutes: z
    .number()
    .int()
    .min(CUP_MINUTES_STEP)
    .max(CUP_MINUTES_MAX)
    .multipleOf(CUP_MINUTES_STEP, `A window has steps of ${CUP_MINUTES_STEP} minutes.`)
    .default(CUP_MINUTES),
  pause: z.number().int().min(0).max(CUP_PAUSE_MAX).default(CUP_PAUSE),
  /** Draws the seeds by lot (CUP-04). */
  draw: z.boolean().default(false),
  /** Whether a cup seeded from a season's table decides the season's title (CUP-02). */
  champion: z.boolean().default(false),
});
export const cupSeedsBody = cupRef.extend({
  sides: z.array(ref).max(CUP_SIDES_MAX),
});
export const cupSidesBody = cupRef.extend({
  /** A seed, or a team's name. */
  side: ref,
  /** Usernames or account numbers. */
  add: z.array(ref).max(60).default([]),
  remove: z.array(ref).max(60).default([]),
});
export const cupWindowsBody = cupRef.extend({ windows: windowChanges.min(1) });
export const cupWithdrawBody = cupRef.extend({ side: ref, undo: z.boolean().default(false) });
export const cupDecideBody = cupRef.extend({
  pairing: pairingRef,
  winner: ref,
  reason,
  /** New windows for pairings that this reopens (CUP-23). */
  windows: windowChanges.default([]),
});
export const cupCorrectBody = cupRef.extend({
  pairing: pairingRef,
  reason,
  windows: windowChanges.default([]),
});
export const cupLeaveBody = cupRef.extend({ pairing: pairingRef });

export const cupListed = cup.extend({
  venue_id: id.nullable(),
  league_id: id.nullable(),
  season_id: id.nullable(),
  timezone: z.string(),
  third: z.boolean(),
  windows: z.enum(CUP_WINDOWS),
  /** Whether the cup's seeds still follow the season's table. */
  follows: z.boolean(),
  starts_at: z.string(),
  ends_at: z.string(),
  /** The winner's name in a final cup, or null. */
  winner: z.string().nullable(),
});
export const cupsQuery = z.object({ venue: ref.optional() });
export const cupsListed = z.object({ now: z.string(), results: z.array(cupListed) });

/** The names of pairings that are reopened, and of those that need a new end (CUP-23). */
const reopening = z.object({
  pairing: z.string(),
  reopens: z.array(z.string()),
  windows: z.array(z.string()),
});
/** What a recount would change (CUP-20). */
const offer = reopening.extend({
  /** Such as `Without this game QF 2 goes to Rim Reapers, 2988 to 3012.` */
  text: z.string(),
});
const staffSide = z.object({
  seed: z.number().int(),
  name: z.string(),
  withdrew: z.boolean(),
  /** The players of a team; `A player` for one out of the staff's reach (P63). */
  players: z.array(z.string()),
});

/** GET /api/operator/cups/page/ (CUP-33) */
export const cupForStaff = z.object({
  cup: cupListed,
  now: z.string(),
  rounds: z.array(round),
  side_list: z.array(staffSide),
  /** How many sides are “A player” on screens (FRAME-06). */
  unnamed: z.number().int(),
  /** What each open pairing waits for once its window is over. */
  waiting: z.array(
    z.object({
      pairing: z.string(),
      machines: z.array(waitingMachine),
      held: z.number().int(),
      until: z.string(),
    }),
  ),
  offers: z.array(offer),
  /** The pairings where a ruling for the loser would reopen others, and which ones. */
  reversals: z.array(reopening),
  rulings: z.array(z.object({ pairing: z.string(), reason: z.string(), who: z.string() })),
  /** Whether no pairing has been decided by games or a ruling (CUP-17). */
  cancellable: z.boolean(),
});
export const cupPreview = z.object({ sides: z.array(z.string()), rounds: z.array(round) });
/** What a change did, in words, and the cup as it is now. */
export const cupChanged = z.object({ cup: cupListed, changes: z.array(z.string()) });

export const cupCalls = {
  'GET /api/cups/:id/': { params: cupParams, answer: cupPage },
  'POST /api/cups/:id/leave/': { params: cupParams },
  'GET /api/operator/cups/': { query: cupsQuery, answer: cupsListed },
  'GET /api/operator/cups/page/': { query: cupRef, answer: cupForStaff },
  'POST /api/operator/cups/preview/': { body: cupBody, answer: cupPreview },
  'POST /api/operator/cups/': { body: cupBody, created: cupListed },
  'POST /api/operator/cups/seeds/': { body: cupSeedsBody, answer: cupListed },
  'POST /api/operator/cups/draw/': { body: cupRef, answer: cupListed },
  'POST /api/operator/cups/sides/': { body: cupSidesBody, answer: cupListed },
  'POST /api/operator/cups/windows/': { body: cupWindowsBody, answer: cupListed },
  'POST /api/operator/cups/withdraw/': { body: cupWithdrawBody, answer: cupListed },
  'POST /api/operator/cups/decide/': { body: cupDecideBody, answer: cupChanged },
  'POST /api/operator/cups/correct/': { body: cupCorrectBody, answer: cupChanged },
  'POST /api/operator/cups/leave/': { body: cupLeaveBody, answer: cupListed },
  'POST /api/operator/cups/cancel/': { body: cupRef, answer: cupListed },
};

export type CupState = z.infer<typeof cupState>;
export type CupPage = z.infer<typeof cupPage>;
export type CupSide = z.infer<typeof cupSide>;
export type CupPairing = z.infer<typeof pairing>;
export type CupRound = z.infer<typeof round>;
export type CupListed = z.infer<typeof cupListed>;
export type CupForStaff = z.infer<typeof cupForStaff>;
export type RunningCup = z.infer<typeof runningCup>;
