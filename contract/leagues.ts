import { z } from 'zod';

/**
 * Replaces the name of a deleted account, or of a former member whom the caller may not see
 * (ACC-60). Not a possible username: it has a space.
 */
export const FORMER_PLAYER = 'Former player';

/** All null if the caller may not see the player (ACC-60). */
export const named = z.object({
  username: z.string().nullable(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
});

export const teammate = z.object({
  username: z.string(),
  weekly_games_played: z.number().int(),
  weekly_avg_score: z.number(),
  weekly_total_score: z.number().int(),
  /** The player has left the team, but has games that count for it this week. */
  former: z.literal(true).optional(),
});
export const opponent = z.object({
  name: z.string(),
  total_games_played: z.number().int(),
  max_possible_games: z.number().int(),
  team_avg: z.number(),
  total_score: z.number().int(),
});
/** GET /api/leaderboards/user-league-stats/, with teammates by rank (LEAGUE-06). */
export const leagueStats = z.object({
  team_name: z.string(),
  teammates: z.array(teammate),
  team_total_games_played: z.number().int(),
  team_max_possible_games: z.number().int(),
  team_avg: z.number(),
  team_total_score: z.number().int(),
  /** null for a bye or before the season (LEAGUE-09). */
  opponent: opponent.nullable(),
  week_closes_at: z.string(),
  /** null once the league has begun. */
  season_starts_at: z.string().nullable(),
  me: z.object({
    league_games_left: z.number().int(),
    /** The caller's fourth best score; null with fewer than four games. */
    fourth_best: z.number().int().nullable(),
  }),
  max_score: z.number().int(),
});

export const standing = z.object({
  place: z.number().int(),
  team: z.string(),
  won: z.number().int(),
  drawn: z.number().int(),
  lost: z.number().int(),
  total: z.number().int(),
});
export const matchup = z.object({
  home: z.string(),
  away: z.string(),
  /** Both totals are null before the week begins. */
  home_total: z.number().int().nullable(),
  away_total: z.number().int().nullable(),
});
export const scheduleWeek = z.object({
  week: z.number().int(),
  /** The first and last day, `YYYY-MM-DD` in the league's zone. */
  from: z.string(),
  to: z.string(),
  matchups: z.array(matchup),
  bye: z.string().nullable(),
});
export const bestGame = z.object({
  place: z.number().int(),
  ...named.shape,
  /** null if the team's name would reveal a hidden player. */
  team: z.string().nullable(),
  week: z.number().int(),
  score: z.number().int(),
});
/** GET /api/leaderboards/user-league-season/ */
export const leagueSeason = z.object({
  league: z.string(),
  /** From 1; 0 before the league begins. */
  week: z.number().int(),
  weeks: z.number().int(),
  standings: z.array(standing),
  schedule: z.array(scheduleWeek),
  /** The best game first (LEAGUE-20). */
  best_games: z.array(bestGame),
});

/** Name, jersey and sum only (P30f). */
export const weekPlayer = z.object({
  ...named.shape,
  weekly_total_score: z.number().int(),
});
export const closedWeek = z.object({
  week: z.number().int(),
  from: z.string(),
  to: z.string(),
  team: z.string(),
  team_total_score: z.number().int(),
  opponent: z.string(),
  opponent_total_score: z.number().int(),
  players: z.array(weekPlayer),
  /** The team's highest counted score of the week, without deleted accounts. */
  best: z.object({ username: z.string().nullable(), score: z.number().int() }).nullable(),
});
/**
 * GET /api/leaderboards/user-league-last-week/, for a picture that players share: it names only
 * players who may be named in public (ACC-60).
 */
export const lastWeekAnswer = z.object({
  /** null for a bye, a week without games, and before the first week closes. */
  last: closedWeek.nullable(),
  week_closes_at: z.string(),
});

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

export type Named = z.infer<typeof named>;
export type Standing = z.infer<typeof standing>;
export type Matchup = z.infer<typeof matchup>;
export type ScheduleWeek = z.infer<typeof scheduleWeek>;
export type LeagueStats = z.infer<typeof leagueStats>;
export type Teammate = z.infer<typeof teammate>;
export type Opponent = z.infer<typeof opponent>;
export type ClosedWeek = z.infer<typeof closedWeek>;
export type BestGame = z.infer<typeof bestGame>;
export type LastWeekAnswer = z.infer<typeof lastWeekAnswer>;
export type LeagueSeason = z.infer<typeof leagueSeason>;
export type LeaderboardQuery = z.infer<typeof leaderboardQuery>;
export type LeaderboardAnswer = z.infer<typeof leaderboardAnswer>;
