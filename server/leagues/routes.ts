import { z } from 'zod';
import { detailError } from '#contract/wire/errors.ts';
import { lastWeekAnswer, leagueSeason, leagueStats } from '#contract/wire/leagues.ts';
import { codeParams, joinAnswer, joinPage, requestAnswer } from '#contract/wire/teams.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { findSession, sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { readBestGames } from './best-games.ts';
import { joinTeam, readJoinPage, readRequest, withdrawRequest } from './joining.ts';
import { readLastWeek } from './last-week.ts';
import { teamOf } from './leagues.ts';
import { readSeason } from './season.ts';
import { leagueStatsReader } from './this-week.ts';

const nothing = z.void();
/** A 404 on these paths signs nobody out, because the paths are not below /api/users/ (API-06). */
const withUnknown = { ...refusals, 404: detailError };

export function joinPageRoute(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock' | 'log'>,
): void {
  app.get(
    '/api/teams/join/:code/',
    {
      schema: {
        tags: ['league'],
        summary: 'The team with this code; a visitor sees no names',
        params: codeParams,
        response: { 200: joinPage, ...withUnknown },
      },
    },
    (request) => {
      const session = findSession(request);
      const { code } = request.params;
      if (session !== undefined) return readJoinPage(deps, { player_id: session.player_id }, code);
      return readJoinPage({ ...deps, db: deps.anonymous }, { ip: request.ip }, code);
    },
  );
}

/** Weeks, the season, and joining a team. */
export function leagueRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'fromReplica' | 'clock' | 'log'>,
): void {
  app.post(
    '/api/teams/join/:code/',
    {
      schema: {
        tags: ['league'],
        summary: 'Join the team with this code, or ask to; 400 when that is not possible',
        params: codeParams,
        response: { 200: joinAnswer, ...withUnknown },
      },
    },
    (request) => joinTeam(deps, sessionOf(request), request.params.code),
  );

  app.get(
    '/api/teams/request/',
    {
      schema: {
        tags: ['league'],
        summary: 'The team that the player has asked to join, or null',
        response: { 200: requestAnswer, ...refusals },
      },
    },
    (request) => readRequest(deps.db, sessionOf(request).player_id),
  );

  app.delete(
    '/api/teams/request/',
    {
      schema: {
        tags: ['league'],
        summary: 'Take back the request to join a team; 204 also when there is none',
        response: { 204: nothing, ...refusals },
      },
    },
    async (request, reply) => {
      await withdrawRequest(deps, sessionOf(request));
      return reply.code(204).send();
    },
  );

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
      const { player_id } = sessionOf(request);
      const { league } = await teamOf(deps.db, player_id);
      const season = await readSeason(deps.db, league, deps.clock.now());
      return { ...season, best_games: await readBestGames(deps, league, player_id) };
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
