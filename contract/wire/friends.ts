import { z } from 'zod';
import { time } from './fields.ts';
import { named } from './leagues.ts';

const n = z.string();
const codeBody = z.object({ code: z.string().max(200) });

/** POST /api/friends/code/ */
export const friendCode = z.object({ code: z.string(), expires_at: time });

/** GET /api/friends/code/: who asks to be a friend, once somebody does (FRIEND-03). */
export const friendAsked = z.object({ asked_by: named.nullable(), expires_at: time });

/**
 * The code's `expires_at` says which request is answered, so that a yes never goes to somebody
 * else.
 */
export const friendAnswer = z.object({
  yes: z.boolean(),
  block: z.boolean().optional(),
  expires_at: z.iso.datetime(),
});

/** What a friend sees: figures and weeks, never a place or a time (FRIEND-06). */
const figures = z.object({
  high_score: z.number().int(),
  average: z.number(),
  games: z.number().int(),
});
export const friend = z.object({
  n,
  ...named.shape,
  ...figures.shape,
  /** null: no game this week. */
  best_week_game: z.number().int().nullable(),
});
export const friendsAnswer = z.object({
  results: z.array(friend),
  me: z.object({
    high_score: z.number().int(),
    games: z.number().int(),
    best_week_game: z.number().int().nullable(),
  }),
});

const side = z.object({ ...figures.shape, best_league_week: z.number().int().nullable() });
const outcome = z.enum(['won', 'lost', 'level']);
/** GET /api/friends/:n/ (FRIEND-09) */
export const comparison = z.object({
  n,
  ...named.shape,
  me: side,
  friend: side,
  /** Newest first: the Monday, and the sum of each player's best 4 of the first 8 games. */
  weeks: z.array(
    z.object({
      week: z.string(),
      mine: z.number().int(),
      theirs: z.number().int(),
      result: outcome,
    }),
  ),
  /** The weeks in which their teams met and both of them played. */
  met: z.array(
    z.object({
      week: z.string(),
      team: z.string(),
      opponent: z.string(),
      own: z.number().int(),
      other: z.number().int(),
      result: outcome,
    }),
  ),
  /**
   * The decided pairings between their sides, from the last 5 cups of both. `week`: the Monday of
   * the week in which the pairing ended.
   */
  met_in_cups: z.array(
    z.object({
      week: z.string(),
      cup: z.string(),
      pairing: z.string(),
      own: z.number().int(),
      other: z.number().int(),
      result: z.enum(['won', 'lost']),
    }),
  ),
});

export const blockedAnswer = z.object({ results: z.array(z.object({ n, ...named.shape })) });

const params = z.object({ n: z.string().max(20) });

export const friendCalls = {
  'GET /api/friends/': { answer: friendsAnswer },
  'POST /api/friends/code/': { answer: friendCode },
  'GET /api/friends/code/': { answer: friendAsked },
  'POST /api/friends/code/answer/': { body: friendAnswer },
  'POST /api/friends/open/': { body: codeBody, answer: named },
  'POST /api/friends/ask/': { body: codeBody },
  'GET /api/blocks/': { answer: blockedAnswer },
  'DELETE /api/blocks/:n/': { params },
  'GET /api/friends/:n/': { params, answer: comparison },
  'DELETE /api/friends/:n/': { params },
  'POST /api/friends/:n/block/': { params },
};

export type FriendCode = z.infer<typeof friendCode>;
export type FriendAsked = z.infer<typeof friendAsked>;
export type FriendAnswer = z.infer<typeof friendAnswer>;
export type Friend = z.infer<typeof friend>;
export type FriendsAnswer = z.infer<typeof friendsAnswer>;
export type Comparison = z.infer<typeof comparison>;
export type BlockedAnswer = z.infer<typeof blockedAnswer>;
