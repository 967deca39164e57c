import { z } from 'zod';
import { named } from './leagues.ts';

export const leaderboardQuery = z.object({
  scope: z.enum(['all', 'league', 'venue']).default('all'),
  period: z.enum(['week', 'all']).default('all'),
});
export const leaderboardRow = z.object({
  place: z.number().int(),
  ...named.shape,
  score: z.number().int(),
});

/** GET /api/leaderboards/ (API-16) */
export const leaderboardAnswer = z.object({
  /** The caller's league, and the venue of the caller's last game; or null. */
  league: z.string().nullable(),
  venue: z.string().nullable(),
  results: z.array(leaderboardRow),
  around: z.array(leaderboardRow),
  /** How many players are above `around`. */
  above: z.number().int(),
});

export const leaderboardCalls = {
  'GET /api/leaderboards/': { query: leaderboardQuery, answer: leaderboardAnswer },
};

export type LeaderboardQuery = z.infer<typeof leaderboardQuery>;
export type LeaderboardAnswer = z.infer<typeof leaderboardAnswer>;
