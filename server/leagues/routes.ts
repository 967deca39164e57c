import {
  lastWeekAnswer,
  leaderboardAnswer,
  leaderboardQuery,
  leagueSeason,
  leagueStats,
} from '#contract/leagues.ts';
import type { App, Deps } from '../app.ts';
import { sessionOf } from '../caller.ts';
import { refusals } from '../errors.ts';
import { readBoard } from './boards.ts';
import { readLastWeek } from './last-week.ts';
import { readSeason } from './season.ts';
import { leagueStatsReader, teamOf } from './stats.ts';

/** In the player scope: the week, the season and the leaderboards (contract 2). */
export function leagueRoutes(app: App, deps: Deps): void {
  const readStats = leagueStatsReader(deps);
  app.get(
    '/api/leaderboards/user-league-stats/',
    {
      schema: {
        tags: ['league'],
        summary: "This week of the player's team and its opponent; 400 without a team",
        response: { 200: leagueStats, ...refusals },
      },
    },
    (request) => readStats(sessionOf(request).player_id),
  );

  app.get(
    '/api/leaderboards/user-league-season/',
    {
      schema: {
        tags: ['league'],
        summary: "The season of the player's league; 400 without a team",
        response: { 200: leagueSeason, ...refusals },
      },
    },
    async (request) => {
      const { league } = await teamOf(deps.db, sessionOf(request).player_id);
      return readSeason(deps.db, league, deps.clock.now());
    },
  );

  app.get(
    '/api/leaderboards/user-league-last-week/',
    {
      schema: {
        tags: ['league'],
        summary: "The last closed week of the player's team, for its picture; 400 without a team",
        response: { 200: lastWeekAnswer, ...refusals },
      },
    },
    (request) => {
      const { player_id } = sessionOf(request);
      return deps.older((db) => readLastWeek({ ...deps, db }, player_id));
    },
  );

  app.get(
    '/api/leaderboards/',
    {
      schema: {
        tags: ['league'],
        summary: 'High scores: the best 20, and the caller between neighbours',
        querystring: leaderboardQuery,
        response: { 200: leaderboardAnswer, ...refusals },
      },
    },
    (request) => {
      const { scope, period } = request.query;
      const { player_id } = sessionOf(request);
      return deps.older((db) => readBoard({ ...deps, db }, player_id, scope, period));
    },
  );
}
