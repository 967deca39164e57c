import { z } from 'zod';
import { named } from './leagues.ts';

export const leaderboardQuery = z.object({
  scope: z.enum(['all', 'league', 'venue', 'friends']).default('all'),
  period: z.enum(['week', 'all']).default('all'),
});
export const leaderboardRow = z.object({
  place: z.number().int(),
  ...named.shape,
  score: z.number().int(),
  /** The place at the last 06:00 UTC; null if it was not among the first 100 (HAND-96). */
  was: z.number().int().nullable(),
});

/** GET /api/leaderboards/ (API-16) */
export const leaderboardAnswer = z.object({
  /** The caller's league, and the venue of the caller's last game, or null. */
  league: z.string().nullable(),
  venue: z.string().nullable(),
  /** Whether the caller has a friend (FRIEND-08). */
  friends: z.boolean(),
  results: z.array(leaderboardRow),
  around: z.array(leaderboardRow),
  /** Whether the places of the last 06:00 UTC are known. */
  moves: z.boolean(),
  /** How many players stand above those in `around`. */
  above: z.number().int(),
  /** When the board's week ends; null for all time. */
  week_closes_at: z.string().nullable(),
});

export const leaderboardCalls = {
  'GET /api/leaderboards/': { query: leaderboardQuery, answer: leaderboardAnswer },
};

export type LeaderboardQuery = z.infer<typeof leaderboardQuery>;
export type LeaderboardAnswer = z.infer<typeof leaderboardAnswer>;
