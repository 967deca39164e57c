import { z } from 'zod';
import { reportReason } from './games.ts';
import { heldReason } from './machines.ts';

/** The inbox shows at most this many cases, the oldest first. */
export const INBOX_MAX = 20;
/** A case shows this many of the player's last counted games. */
export const RECENT_MAX = 30;

/** A game near the game of a case: of the same player, or on the same machine. */
const nearby = z.object({
  played_at: z.string(),
  player: z.string().nullable(),
  machine: z.string(),
  score: z.number().int(),
  /** Whether this is the game of the case. */
  own: z.boolean(),
});

const weekChange = z.object({
  team: z.string(),
  week: z.string(),
  total: z.number().int(),
  /** null when it depends on the order of more than eight games. */
  total_after: z.number().int().nullable(),
  opponent: z.string().nullable(),
  opponent_total: z.number().int(),
});

/** A held or reported game that waits for a decision (GAME-12). */
export const inboxCase = z.object({
  kind: z.enum(['held', 'report']),
  game: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  /** When the game was received, or reported. */
  since: z.string(),
  machine: z.string(),
  venue: z.string().nullable(),
  held_reason: heldReason.nullable(),
  report_reason: reportReason.nullable(),
  text: z.string().nullable(),
  player: z
    .object({
      username: z.string().nullable(),
      avatar_color: z.string().nullable(),
      jersey_number: z.string().nullable(),
      team: z.string().nullable(),
    })
    .nullable(),
  /** Scores of the player's last counted games, newest first. */
  recent: z.array(z.number().int()),
  nearby: z.array(nearby),
  /** Why the game counts for no team; null if it counts for one. */
  outside: z.enum(['league_mode_off', 'no_team']).nullable(),
  week: weekChange.nullable(),
});
export const inboxAnswer = z.object({ results: z.array(inboxCase), total: z.number().int() });

export type InboxCase = z.infer<typeof inboxCase>;
export type InboxAnswer = z.infer<typeof inboxAnswer>;
