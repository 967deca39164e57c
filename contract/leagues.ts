import { z } from 'zod';

/** What stands in the place of the name of a deleted account; no username can look like it. */
export const FORMER_PLAYER = 'Former player';

export const teammate = z.object({
  username: z.string(),
  weekly_games_played: z.number().int(),
  weekly_avg_score: z.number(),
  weekly_total_score: z.number().int(),
  /** Only there, and true, for somebody who has left the team but has counted games for it this week. */
  former: z.literal(true).optional(),
});
export const opponent = z.object({
  name: z.string(),
  total_games_played: z.number().int(),
  max_possible_games: z.number().int(),
  team_avg: z.number(),
  total_score: z.number().int(),
});
/** GET /api/leaderboards/user-league-stats/ (spec 3, contract 2). Teammates in order of rank. */
export const leagueStats = z.object({
  team_name: z.string(),
  teammates: z.array(teammate),
  team_total_games_played: z.number().int(),
  team_max_possible_games: z.number().int(),
  team_avg: z.number(),
  team_total_score: z.number().int(),
  /** null: a bye, or the season has not begun (contract 1). */
  opponent: opponent.nullable(),
  week_closes_at: z.string(),
  /** When the league begins, from which on games count; null once it has. */
  season_starts_at: z.string().nullable(),
  me: z.object({
    league_games_left: z.number().int(),
    /** The score to beat: the caller's fourth best counted game, null with fewer than four. */
    fourth_best: z.number().int().nullable(),
  }),
  /** A score above it is held back, and counts for nothing until the operator releases it. */
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
  /** null until the week has begun. */
  home_total: z.number().int().nullable(),
  away_total: z.number().int().nullable(),
});
export const scheduleWeek = z.object({
  week: z.number().int(),
  /** First and last day, `YYYY-MM-DD`, in the league's time zone. */
  from: z.string(),
  to: z.string(),
  matchups: z.array(matchup),
  bye: z.string().nullable(),
});
/** GET /api/leaderboards/user-league-season/ */
export const leagueSeason = z.object({
  league: z.string(),
  /** The present week's number from 1; 0 before the league begins. */
  week: z.number().int(),
  weeks: z.number().int(),
  standings: z.array(standing),
  schedule: z.array(scheduleWeek),
});

/** Somebody who had counted games in a closed week: name, jersey and sum, nothing else (P30f). */
export const weekPlayer = z.object({
  username: z.string(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  weekly_total_score: z.number().int(),
});
/** A closed week as the player's team played it. */
export const closedWeek = z.object({
  week: z.number().int(),
  /** First and last day, `YYYY-MM-DD`, in the league's time zone. */
  from: z.string(),
  to: z.string(),
  team: z.string(),
  team_total_score: z.number().int(),
  opponent: z.string(),
  opponent_total_score: z.number().int(),
  /** In order of rank. */
  players: z.array(weekPlayer),
  /** The team's highest counted score; null when nobody who is still here has played. */
  best: z.object({ username: z.string(), score: z.number().int() }).nullable(),
});
/** GET /api/leaderboards/user-league-last-week/ */
export const lastWeekAnswer = z.object({
  /** null: a bye, a week in which nobody played, or none for this player yet. */
  last: closedWeek.nullable(),
  /** When the present week closes and becomes the last one. */
  week_closes_at: z.string(),
});

export const leaderboardQuery = z.object({
  scope: z.enum(['all', 'league', 'venue']).default('all'),
  period: z.enum(['week', 'all']).default('all'),
});
export const leaderboardRow = z.object({
  place: z.number().int(),
  username: z.string(),
  avatar_color: z.string(),
  jersey_number: z.string(),
  score: z.number().int(),
});
/** GET /api/leaderboards/: at most 20 rows, and the caller with two neighbours on each side. */
export const leaderboardAnswer = z.object({
  /** Which other boards the caller has: the league's, and that of the last game's venue. */
  league: z.string().nullable(),
  venue: z.string().nullable(),
  results: z.array(leaderboardRow),
  around: z.array(leaderboardRow),
});

export type Standing = z.infer<typeof standing>;
export type Matchup = z.infer<typeof matchup>;
export type ScheduleWeek = z.infer<typeof scheduleWeek>;
export type LeagueStats = z.infer<typeof leagueStats>;
export type Teammate = z.infer<typeof teammate>;
export type Opponent = z.infer<typeof opponent>;
export type ClosedWeek = z.infer<typeof closedWeek>;
export type LastWeekAnswer = z.infer<typeof lastWeekAnswer>;
export type LeagueSeason = z.infer<typeof leagueSeason>;
export type LeaderboardQuery = z.infer<typeof leaderboardQuery>;
export type LeaderboardAnswer = z.infer<typeof leaderboardAnswer>;
