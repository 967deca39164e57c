import { z } from 'zod';
import { accountId, id } from './fields.ts';
import { gameRef, heldReason, outside, reportReason } from './games.ts';

/**
 * The case's game, or one shortly before or after it. Around a held game, all are of the same
 * player; around a reported game, of the same machine.
 */
const nearby = z.object({
  played_at: z.string(),
  player: z.string().nullable(),
  /** The account's number; null if it was deleted. */
  player_id: z.string().nullable(),
  machine: z.string(),
  score: z.number().int(),
  /** Whether this is the case's game. */
  own: z.boolean(),
});

/** A team's total for the week, before and after a decision. */
const teamChange = z.object({
  team: z.string(),
  total: z.number().int(),
  total_after: z.number().int(),
});
export const weekChange = teamChange.extend({
  week: z.string(),
  /** The week's number in its season; 0 outside of any (SEASON-06). */
  number: z.number().int(),
  over: z.boolean(),
  opponent: z.string().nullable(),
  opponent_total: z.number().int(),
  /**
   * Other teams whose totals would change. If the player changed team within the week, a game for
   * another team can join or leave the first eight.
   */
  others: z.array(teamChange),
  /** The week's season, once it is final: its table stays until somebody corrects it (SEASON-25). */
  final: z.object({ id: z.string(), name: z.string(), league_id: z.string() }).nullable(),
});

/** A held or reported game to decide on (GAME-12). */
export const inboxCase = z.object({
  kind: z.enum(['held', 'report']),
  /** The game's number. */
  game: z.string(),
  score: z.number().int(),
  played_at: z.string(),
  /** When the game or report arrived. */
  since: z.string(),
  machine_id: z.string(),
  machine: z.string(),
  /** `counted` or `held`, but a reported game may already be void. */
  state: z.enum(['counted', 'held', 'void', 'discarded']),
  /** Whether a reported game is the player's high score. */
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
  /** Why the game counts for no team, or null. */
  outside: outside.nullable(),
  /**
   * What releasing a held game, or voiding a reported one, changes in the week; null if the game
   * counts for no team.
   */
  week: weekChange.nullable(),
});
/** A request to join a team, for staff to answer (HAND-C6). */
export const inboxRequest = z.object({
  kind: z.literal('request'),
  account: accountId,
  username: z.string().nullable(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
  games_played: z.number().int(),
  avg_score: z.number().int(),
  team_id: id,
  team: z.string(),
  league: z.string(),
  /** How many more players the team can take. */
  places_left: z.number().int(),
  asked_at: z.string(),
});
export const inboxCount = z.object({
  held: z.number().int(),
  reports: z.number().int(),
  requests: z.number().int(),
});
export const inboxAnswer = inboxCount.extend({
  results: z.array(inboxCase),
  asking: z.array(inboxRequest),
});

/** `return`: holds a released or discarded game again. `reopen`: opens a settled report again. */
export const decision = z.enum([
  'release',
  'discard',
  'return',
  'void',
  'restore',
  'stands',
  'reopen',
]);

/** The latest decision about a game. */
export const decided = z.object({ decision, by: z.string(), at: z.string() });

/** GET /api/operator/inbox/decided/; null: nobody decided. */
export const decidedAnswer = z.object({ decided: decided.nullable() });

const player = z.object({ id: z.string(), username: z.string().nullable() });
const team = z.object({ id, name: z.string() });
/** A decision about a league, with the current names of its player and teams (HAND-C11). */
export const leagueDecided = z.object({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  /** `reopened`: a request whose answer was undone. `made`, `renamed` and `deleted`: a team. */
  decision: z.enum([
    'moved',
    'accepted',
    'declined',
    'reopened',
    'made',
    'renamed',
    'deleted',
    'ruled',
  ]),
  league_id: id,
  player: player.nullable(),
  /** The team, or a matchup's home team; null if it was deleted or the player was taken off. */
  team: team.nullable(),
  /** The team that a moved player left, or the away team of a matchup. */
  other: team.nullable(),
  /** A team's names, or a matchup's rulings: one of `ruling`, or `none`. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The Monday of the matchup. */
  week: z.string().nullable(),
  week_number: z.number().int().nullable(),
  /** The reason of the ruling before the decision. */
  reason_before: z.string().nullable(),
  /** When the player asked. */
  asked_at: z.string().nullable(),
  /** Whether the decision is still in force and can be undone. */
  undo: z.boolean(),
});

/** GET /api/operator/inbox/decisions/, each list newest first (GAME-13, HAND-C11). */
export const decisionsAnswer = z.object({
  results: z.array(
    decided.extend({
      id: z.string(),
      game: z.string(),
      score: z.number().int(),
      machine: z.string(),
      /** null when the account was deleted. */
      player: player.nullable(),
    }),
  ),
  leagues: z.array(leagueDecided),
});

export const inboxCalls = {
  'GET /api/operator/inbox/': { answer: inboxAnswer },
  'GET /api/operator/inbox/decided/': { query: gameRef, answer: decidedAnswer },
  'GET /api/operator/inbox/decisions/': { answer: decisionsAnswer },
};

export type WeekChange = z.infer<typeof weekChange>;
export type Decisions = z.infer<typeof decisionsAnswer>;
export type LeagueDecided = z.infer<typeof leagueDecided>;
export type InboxCase = z.infer<typeof inboxCase>;
export type InboxRequest = z.infer<typeof inboxRequest>;
export type InboxCount = z.infer<typeof inboxCount>;
export type Decision = z.infer<typeof decision>;
export type Decided = z.infer<typeof decided>;
export type InboxAnswer = z.infer<typeof inboxAnswer>;
