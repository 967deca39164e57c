import { z } from 'zod';
import { cursor, time } from './fields.ts';
import { named } from './leagues.ts';

const id = z.string().max(64);

export const duelBest = z.object({
  score: z.number().int(),
  played_at: time,
  machine: z.string(),
  /** The game's number among the player's games. */
  game: z.string(),
  /** How many games count. */
  games: z.number().int(),
});

export const duel = z.object({
  id,
  state: z.enum(['offered', 'running', 'decided']),
  offered_by_me: z.boolean(),
  rival: named,
  offered_at: time,
  accept_until: time,
  /** null until accepted. */
  accepted_at: time.nullable(),
  ends_at: time.nullable(),
  /** The caller's best game; null if the caller has no game in the duel. */
  best: duelBest.nullable(),
  /** The rival's best score, without the game (DUEL-09). */
  rival_best: z.number().int().nullable(),
  /** null until decided. */
  result: z.enum(['won', 'lost', 'level', 'none']).nullable(),
  /** Whether the result can no longer change (DUEL-06). */
  final: z.boolean(),
});

/** GET /api/users/duels/ */
export const duelsAnswer = z.object({
  /** The player's switch. While it is off, nobody can offer the player a duel (PUSH-04). */
  on: z.boolean(),
  won: z.number().int(),
  lost: z.number().int(),
  level: z.number().int(),
  offers: z.array(duel),
  running: z.array(duel),
  /** Decided duels, newest first. */
  results: z.array(duel),
  /** The `cursor` for the next page of `results`; null on the last page. */
  next: z.string().nullable(),
});

/**
 * A player to whom the caller may offer a duel. Other players' choices and ages do not change the
 * list (DUEL-11).
 */
export const duelPartner = z.object({
  username: z.string(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  /** null for a friend who is in none of the caller's leagues. */
  team: z.string().nullable(),
  relation: z.enum(['team', 'opponent', 'league', 'friend']),
});

const params = z.object({ id });

export const duelCalls = {
  'GET /api/users/duels/': {
    query: z.object({ cursor: cursor(20) }),
    answer: duelsAnswer,
  },
  'POST /api/users/duels/': { body: z.object({ username: z.string().max(100) }), answer: duel },
  'GET /api/users/duels/partners/': { answer: z.object({ results: z.array(duelPartner) }) },
  'POST /api/users/duels/:id/accept/': { params, answer: duel },
  'POST /api/users/duels/:id/decline/': { params },
  'POST /api/users/duels/:id/block/': { params },
  'DELETE /api/users/duels/:id/': { params },
};

export type Duel = z.infer<typeof duel>;
export type DuelsAnswer = z.infer<typeof duelsAnswer>;
export type DuelPartner = z.infer<typeof duelPartner>;
