import { z } from 'zod';
import { reportReason } from './games.ts';
import { heldReason } from './machines.ts';

/** The inbox shows at most this many held games and this many reports, oldest first. */
export const INBOX_MAX = 20;
/** A case lists at most this many of the player's last counted games. */
export const RECENT_MAX = 30;

/** A game near a case's game: of the same player, or on the same machine. */
const nearby = z.object({
  played_at: z.string(),
  player: z.string().nullable(),
  /** The number of the player's account; null when it was deleted. */
  player_id: z.string().nullable(),
  machine: z.string(),
  score: z.number().int(),
  /** Whether this is the case's game. */
  own: z.boolean(),
});

/** A team's total of the week, now and after the decision. */
const teamChange = z.object({
  team: z.string(),
  total: z.number().int(),
  total_after: z.number().int(),
});
/** What a decision about a game changes in the week of the game. */
export const weekChange = teamChange.extend({
  week: z.string(),
  /** The week's number in its league. */
  number: z.number().int(),
  over: z.boolean(),
  opponent: z.string().nullable(),
  opponent_total: z.number().int(),
  /**
   * Other teams whose totals would change. If the player changed team within the week, a game for
   * the other team can leave or join the first eight.
   */
  others: z.array(teamChange),
});

/** A held or reported game that waits for a decision (GAME-12). */
export const inboxCase = z.object({
  kind: z.enum(['held', 'report']),
  game: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  /** When the game or report arrived. */
  since: z.string(),
  machine_id: z.string(),
  machine: z.string(),
  /** `counted` or `held` while the case waits, but a reported game may already be void. */
  state: z.enum(['counted', 'held', 'void', 'discarded']),
  /** Whether a reported game has the player's high score. */
  best: z.boolean(),
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
  /** The player's last counted scores, newest first. */
  recent: z.array(z.number().int()),
  nearby: z.array(nearby),
  /** Why the game counts for no team; null if it does. */
  outside: z.enum(['league_mode_off', 'no_team']).nullable(),
  /**
   * What would change in the week by the release of a held game, or by the void of a reported one;
   * null if the game counts for no team.
   */
  week: weekChange.nullable(),
});
export const inboxCount = z.object({ held: z.number().int(), reports: z.number().int() });
export const inboxAnswer = inboxCount.extend({ results: z.array(inboxCase) });

export const decision = z.enum(['release', 'discard', 'void', 'restore', 'stands']);
/** The latest decision about a game, from the audit. */
export const decided = z.object({ decision, by: z.string(), at: z.string() });
/** GET /api/operator/inbox/decided/. `decided` is null if nobody decided. */
export const decidedAnswer = z.object({ decided: decided.nullable() });

/** GET /api/operator/inbox/decisions/: what staff decided about games, newest first (GAME-13). */
export const decisionsAnswer = z.object({
  results: z.array(
    decided.extend({
      /** The number of the audit line. */
      id: z.string(),
      game: z.string(),
      score: z.number().int(),
      machine_id: z.string(),
      machine: z.string(),
      /** null when the account was deleted. */
      player: z.object({ id: z.string(), username: z.string().nullable() }).nullable(),
    }),
  ),
});

export type WeekChange = z.infer<typeof weekChange>;
export type Decisions = z.infer<typeof decisionsAnswer>;
export type InboxCase = z.infer<typeof inboxCase>;
export type InboxCount = z.infer<typeof inboxCount>;
export type Decision = z.infer<typeof decision>;
export type Decided = z.infer<typeof decided>;
export type InboxAnswer = z.infer<typeof inboxAnswer>;
