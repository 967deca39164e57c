import { z } from 'zod';
import { CONTEST_NAME_MAX, FIRST_N, FIRST_N_MAX, PRIZES_MAX, SCORINGS } from '../rules/contests.ts';
import { REASON_MAX } from '../rules/leagues.ts';
import { runningCup, waitingMachine } from './cups.ts';
import { accountId, begin, id, moment, name, plain, plainLines, ref } from './fields.ts';
import { named } from './leagues.ts';
import { seasonOver } from './seasons.ts';
import { codeParams } from './teams.ts';

export const scoring = z.enum(SCORINGS);
/** `settling`: the contest is over, but games on their way still count (CONTEST-05). */
export const contestState = z.enum(['planned', 'running', 'settling', 'final', 'cancelled']);

const contest = z.object({
  code: z.string().meta({ example: 'R4T9WX' }),
  name: z.string(),
  venue: z.string(),
  scoring,
  n: z.number().int(),
  starts_at: z.string(),
  ends_at: z.string(),
  state: contestState,
  prizes: z.string().nullable(),
});
const place = { place: z.number().int(), ...named.shape, points: z.number().int() };

/** How the player's game counts in a contest; `over`: it came after the first N. */
export const contestCounts = z.enum(['counts', 'below', 'over', 'held']);

/** GET /api/contests/{code}/ (CONTEST-10). A visitor sees no name (CONTEST-12). */
export const contestPage = contest.extend({
  now: z.string(),
  players: z.number().int(),
  results: z.array(z.object(place)),
  /** The player's own row with two neighbours above and below, if it is not among `results`. */
  around: z.array(z.object(place)),
  /** How many players stand above those in `around`. */
  above: z.number().int(),
  waiting: z.array(waitingMachine),
  /** When the next contest of this name at this venue begins, or began if it runs; or null. */
  next_at: z.string().nullable(),
  mine: z
    .object({
      /** null while the player has only held games. */
      place: z.number().int().nullable(),
      points: z.number().int(),
      games: z.array(
        z.object({
          score: z.number().int(),
          played_at: z.string(),
          machine: z.string(),
          counts: contestCounts,
        }),
      ),
    })
    .nullable(),
});

/** GET /api/users/profile/running/: what the profile shows beside the code (CONTEST-10). */
export const runningAnswer = z.object({
  contest: contest
    .omit({ prizes: true, venue: true })
    .extend({
      now: z.string(),
      place: z.number().int().nullable(),
      /** How many more of the player's games can count; null unless the first N count. */
      games_left: z.number().int().nullable(),
    })
    .nullable(),
  cup: runningCup.nullable(),
  season: seasonOver.nullable(),
});

// --- Staff ------------------------------------------------------------------------------------

/** A contest's code, or its id. */
export const contestRef = z.object({ contest: ref });
const prizes = plainLines(PRIZES_MAX, 'A prize').nullable();
const machines = z
  .array(ref)
  .min(1, 'Name at least one machine, or leave them out for all.')
  .max(60)
  .nullable();

export const contestBody = z.object({
  venue: ref,
  name: name(CONTEST_NAME_MAX),
  /** By default, the next full hour. */
  starts: begin.optional(),
  /** By default, three hours after the start. */
  ends: moment.optional(),
  scoring: scoring.default('best3'),
  n: z.number().int().min(1).max(FIRST_N_MAX).default(FIRST_N),
  prizes: prizes.default(null),
  /** null: all machines of the venue. */
  machines: machines.default(null),
  only: z.boolean().default(false),
});
/**
 * Omitted fields do not change. In a running contest, only name, prizes, end and `only` can
 * change (CONTEST-07).
 */
export const contestChangeBody = contestRef.extend({
  name: name(CONTEST_NAME_MAX).optional(),
  starts: begin.optional(),
  ends: moment.optional(),
  scoring: scoring.optional(),
  n: z.number().int().min(1).max(FIRST_N_MAX).optional(),
  prizes: prizes.optional(),
  machines: machines.optional(),
  only: z.boolean().optional(),
});
export const contestCorrectBody = contestRef.extend({ reason: plain(REASON_MAX, 'A reason') });

/** Staff see every player; null: the account was deleted. */
const staffPlace = z.object({
  ...place,
  account: accountId.nullable(),
  games: z.number().int(),
  /** Whether the screens name this player. */
  on_screens: z.boolean(),
});

export const contestListed = contest.extend({
  id,
  venue_id: id,
  timezone: z.string(),
  only: z.boolean(),
  /** Names of machines; null: all of the venue. */
  machines: z.array(z.string()).nullable(),
  /** The address of the contest's page. */
  url: z.string(),
  players: z.number().int(),
  games: z.number().int(),
  /** The highest points, or null. */
  best: z.number().int().nullable(),
  /** Places 1 to 3 of a final contest. */
  winners: z.array(staffPlace),
});
export const contestsQuery = z.object({ venue: ref.optional() });
export const contestsListed = z.object({ now: z.string(), results: z.array(contestListed) });

/** GET /api/operator/contests/page/ */
export const contestForStaff = z.object({
  contest: contestListed,
  now: z.string(),
  places: z.array(
    staffPlace.extend({
      /** Why this row comes after one with equal points (CONTEST-04); null if it has fewer points. */
      level: z.enum(['best_game', 'earlier']).nullable(),
    }),
  ),
  /** Accounts made since the start whose players have a game in the contest. */
  new_accounts: z.number().int(),
  /** What the contest waits for after its end, and until when at most. */
  waiting: z.array(
    waitingMachine.extend({
      machine_id: id,
      venue: z.string(),
      reported_at: z.string().nullable(),
    }),
  ),
  waits_until: z.string().nullable(),
  held: z.array(
    z.object({
      /** The game's number. */
      game: z.string(),
      machine: z.string(),
      player: z.string().nullable(),
      score: z.number().int(),
      /** The player's place with this game. */
      place: z.number().int(),
    }),
  ),
  /** How many more are held, with lower scores. */
  held_more: z.number().int(),
  /** How many televisions are paired at the venue. */
  screens: z.number().int(),
  version: z.number().int(),
  corrections: z.array(
    z.object({
      version: z.number().int(),
      at: z.string(),
      who: z.string(),
      reason: z.string(),
      changes: z.array(z.string()),
    }),
  ),
  /** What a recount would change in a final contest, in words; empty if nothing (CONTEST-06). */
  changes: z.array(z.string()),
});

/** GET /api/operator/contests/poster/ */
export const contestPoster = contest.extend({ url: z.string(), timezone: z.string() });

/** What a change did, in words, and the contest as it is now. */
export const contestChanged = z.object({ contest: contestListed, changes: z.array(z.string()) });

export const contestCalls = {
  'GET /api/contests/:code/': { params: codeParams, answer: contestPage },
  'GET /api/users/profile/running/': { answer: runningAnswer },
  'GET /api/operator/contests/': { query: contestsQuery, answer: contestsListed },
  'GET /api/operator/contests/page/': { query: contestRef, answer: contestForStaff },
  'GET /api/operator/contests/poster/': { query: contestRef, answer: contestPoster },
  'POST /api/operator/contests/': { body: contestBody, created: contestListed },
  'POST /api/operator/contests/change/': { body: contestChangeBody, answer: contestListed },
  'POST /api/operator/contests/stop/': { body: contestRef, answer: contestListed },
  'POST /api/operator/contests/cancel/': { body: contestRef, answer: contestListed },
  'POST /api/operator/contests/again/': { body: contestRef, created: contestListed },
  'POST /api/operator/contests/correct/': { body: contestCorrectBody, answer: contestChanged },
  'POST /api/operator/contests/leave/': { body: contestRef, answer: contestListed },
};

export type ContestState = z.infer<typeof contestState>;
export type ContestPage = z.infer<typeof contestPage>;
export type ContestCounts = z.infer<typeof contestCounts>;
export type RunningAnswer = z.infer<typeof runningAnswer>;
export type ContestListed = z.infer<typeof contestListed>;
export type ContestForStaff = z.infer<typeof contestForStaff>;
export type ContestPoster = z.infer<typeof contestPoster>;
export type StaffPlace = z.infer<typeof staffPlace>;
export type LevelPlace = ContestForStaff['places'][number];
