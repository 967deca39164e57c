import { lastWeekAnswer, leagueSeason, leagueStats } from '#contract/leagues.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { readLastWeek } from './last-week.ts';
import { teamOf } from './leagues.ts';
import { readSeason } from './season.ts';
import { leagueStatsReader } from './this-week.ts';

/** Routes of the player scope: this week, the last week and the season. */
export function leagueRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'fromReplica' | 'clock'>,
): void {
  const readStats = leagueStatsReader(deps);
  app.get(
    '/api/leaderboards/user-league-stats/',
    {
      schema: {
        tags: ['league'],
        summary: "The current week of the player's team and its opponent; 400 without a team",
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
      return deps.fromReplica((db) => readLastWeek({ ...deps, db }, player_id));
    },
  );
}
