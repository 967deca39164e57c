import { z } from 'zod';
import { date, id, time } from './fields.ts';
import { inboxCount } from './inbox.ts';
import { tonightLeague } from './leagues.ts';
import { machineCard } from './machines.ts';

export const tonightQuery = z.object({ venue: z.string().max(20).optional() });

/** GET /api/operator/tonight/count/ */
export const tonightCount = inboxCount.extend({
  server_time: time,
  /** As in `tonightAnswer`. */
  until: time.nullable(),
  /** Machines that need a hand, and the inbox's open cases (HAND-C7). */
  number: z.number().int(),
});

const waiting = z.object({ count: z.number().int(), oldest_at: time.nullable() });
const open = z.object({ held: z.number().int(), complaints: z.number().int() });

/** GET /api/operator/tonight/ */
export const tonightAnswer = z.object({
  server_time: time,
  /** When a state next changes without a call; the console then fetches again (decision 084). */
  until: time.nullable(),
  /** The opening day. The console shows its times in `timezone`. */
  night: z.object({
    opens: time,
    closes: time,
    timezone: z.string(),
    open: z.boolean(),
    games: z.number().int(),
    players: z.number().int(),
    league_games: z.number().int(),
    hours: z.array(z.number().int()),
  }),
  machines: z.array(machineCard),
  /** As in `tonightCount`, for the chosen venue. */
  number: z.number().int(),
  held: waiting,
  reports: waiting,
  requests: waiting,
  /** Seasons whose grace is over, and what keeps them open (SEASON-21). */
  seasons: z.array(
    z.object({
      id,
      league_id: id,
      league: z.string(),
      name: z.string(),
      ...open.shape,
      /** How many of these are in the answer's `held` and `reports`. */
      here: open,
    }),
  ),
  /** Final seasons that a recount would change (SEASON-25). */
  changed_seasons: z.array(
    z.object({
      id,
      league_id: id,
      league: z.string(),
      name: z.string(),
      /** Why: the newest late change in the season. */
      why: z.enum(['game', 'ruling']),
    }),
  ),
  /** Cups that wait for something, and those that a recount would change (CUP-20). */
  cups: z.array(
    z.object({
      id,
      name: z.string(),
      why: z.enum(['held', 'late', 'changed']),
      /** Held games in pairings whose windows are over. */
      held: z.number().int(),
    }),
  ),
  /**
   * For owners (STAFF-27): since when the oldest mail waits, if it waits for long, and the last
   * backup, if it is old. `at` is null if there is none after the first day.
   */
  system: z.object({
    mail_since: time.nullable(),
    old_backup: z.object({ at: time.nullable() }).nullable(),
  }),
  mails_to: z.array(z.string()),
  leagues: z.array(tonightLeague),
  /** Leagues whose weeks are all over. `next`: the day on which the next season begins, or null. */
  between: z.array(z.object({ id, name: z.string(), next: date.nullable() })),
  /** Which first steps are done (MACH-18). */
  steps: z.object({ machines: z.boolean(), leagues: z.boolean(), staff: z.boolean() }),
});

export const tonightCalls = {
  'GET /api/operator/tonight/count/': { answer: tonightCount },
  'GET /api/operator/tonight/': { query: tonightQuery, answer: tonightAnswer },
};

export type Tonight = z.infer<typeof tonightAnswer>;
export type TonightCount = z.infer<typeof tonightCount>;
export type CupHand = Tonight['cups'][number];
export type KeptOpen = Tonight['seasons'][number];
export type ChangedSeason = Tonight['changed_seasons'][number];
