import { z } from 'zod';
import { reportReason } from './games.ts';
import { heldReason } from './machines.ts';

/** The inbox shows at most this many held games and this many reports, the oldest first. */
export const INBOX_MAX = 20;
/** A case shows at most this many of the player's last counted games. */
export const RECENT_MAX = 30;

/** A game near the game of a case: by the same player, or on the same machine. */
const nearby = z.object({
  played_at: z.string(),
  player: z.string().nullable(),
  machine: z.string(),
  score: z.number().int(),
  /** Whether this is the game of the case. */
  own: z.boolean(),
});

/** A team's total of the week, as it is and as it would be if the game counted. */
const teamChange = z.object({
  team: z.string(),
  total: z.number().int(),
  total_after: z.number().int(),
});
const weekChange = teamChange.extend({
  week: z.string(),
  /** The number of the week in its league. */
  number: z.number().int(),
  over: z.boolean(),
  opponent: z.string().nullable(),
  opponent_total: z.number().int(),
  /**
   * Other teams whose total would change. The player changed team within the week, and a game for
   * the former team would no longer be among the first eight.
   */
  others: z.array(teamChange),
});

/** A held or reported game that waits for a decision (GAME-12). */
export const inboxCase = z.object({
  kind: z.enum(['held', 'report']),
  game: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  /** When the server received the game or the report. */
  since: z.string(),
  machine_id: z.string(),
  machine: z.string(),
  /** Whether the machine is in repair. */
  in_repair: z.boolean(),
  venue: z.string().nullable(),
  held_reason: heldReason.nullable(),
  report_reason: reportReason.nullable(),
  text: z.string().nullable(),
  player: z
    .object({
      id: z.string(),
      username: z.string().nullable(),
      avatar_color: z.string().nullable(),
      jersey_number: z.string().nullable(),
      team: z.string().nullable(),
    })
    .nullable(),
  /** The scores of the player's last counted games, newest first. */
  recent: z.array(z.number().int()),
  nearby: z.array(nearby),
  /** Why the game counts for no team; null if it counts for one. */
  outside: z.enum(['league_mode_off', 'no_team']).nullable(),
  /** What a release would change; null for a report, and for a game of no team. */
  week: weekChange.nullable(),
});
/** How many held games and open reports wait for a decision. */
export const inboxCount = z.object({ held: z.number().int(), reports: z.number().int() });
export const inboxAnswer = inboxCount.extend({ results: z.array(inboxCase) });

export const decision = z.enum(['release', 'discard', 'void', 'restore', 'stands']);
/** The last decision of staff about a game, from the audit. */
export const decided = z.object({ decision, by: z.string(), at: z.string() });
/** GET /api/operator/inbox/decided/. `decided` is null if staff decided nothing. */
export const decidedAnswer = z.object({ decided: decided.nullable() });

export type InboxCase = z.infer<typeof inboxCase>;
export type InboxCount = z.infer<typeof inboxCount>;
export type Decision = z.infer<typeof decision>;
export type Decided = z.infer<typeof decided>;
export type InboxAnswer = z.infer<typeof inboxAnswer>;
