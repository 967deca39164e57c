import { detailError } from '#contract/wire/errors.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { callerOf, findSession, sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { readChampionsOf } from './champions.ts';
import { joinTeam, readJoinPage, readRequest, withdrawRequest } from './joining.ts';
import { readLastWeek } from './last-week.ts';
import { teamOf } from './leagues.ts';
import { readOwnSeasons, readSeasonPage } from './season-archive.ts';
import { readBestGames } from './season-bests.ts';
import { readChanges } from './season-news.ts';
import { readSeason, scheduleFor } from './season-view.ts';
import { readTeamPage } from './team-page.ts';
import { leagueStatsReader } from './this-week.ts';

/** A 404 on these paths signs nobody out, because the paths are not below /api/users/ (API-06). */
const withUnknown = { ...refusals, 404: detailError };

export function joinPageRoute(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'anonymous' | 'clock' | 'log'>,
): void {
  route(
    app,
    'GET /api/teams/join/:code/',
    {
      tags: ['league'],
      summary: 'The team with this code; a visitor sees no names',
      refusals: withUnknown,
    },
    (request) => {
      const session = findSession(request);
      const { code } = request.params;
      if (session !== undefined) return readJoinPage(deps, { player_id: session.player_id }, code);
      return readJoinPage({ ...deps, db: deps.anonymous }, { visitor: callerOf(request) }, code);
    },
  );
}

/** Weeks, the season, and joining a team. */
export function leagueRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'fromReplica' | 'clock' | 'log'>,
): void {
  route(
    app,
    'POST /api/teams/join/:code/',
    {
      tags: ['league'],
      summary: 'Join the team with this code, or ask to; 400 when that is not possible',
      refusals: withUnknown,
    },
    (request) => joinTeam(deps, sessionOf(request), request.params.code),
  );

  route(
    app,
    'GET /api/teams/request/',
    { tags: ['league'], summary: 'The team that the player has asked to join, or null' },
    (request) => readRequest(deps.db, sessionOf(request).player_id),
  );

  route(
    app,
    'DELETE /api/teams/request/',
    {
      tags: ['league'],
      summary: 'Take back the request to join a team; 204 also when there is none',
    },
    async (request) => {
      await withdrawRequest(deps, sessionOf(request));
    },
  );

  const readStats = leagueStatsReader(deps);
  route(
    app,
    'GET /api/leaderboards/user-league-stats/',
    {
      tags: ['league'],
      summary: "The current week of the player's team and its opponent; 400 without a team",
    },
    (request) => readStats(sessionOf(request).player_id),
  );

  route(
    app,
    'GET /api/leaderboards/user-league-season/',
    { tags: ['league'], summary: "The season of the player's league; 400 without a team" },
    async (request) => {
      const { player_id } = sessionOf(request);
      const { league, team } = await teamOf(deps.db, player_id);
      const season = await readSeason(deps.db, league, deps.clock.now());
      const { id, final_at } = season.facts.season;
      return {
        ...season,
        schedule: scheduleFor(team, season.schedule),
        best_games: await readBestGames(deps, season.facts, player_id),
        champions: final_at === null ? [] : ((await readChampionsOf(deps.db, [id])).get(id) ?? []),
        changes: await readChanges(deps.db, season.facts.season),
      };
    },
  );

  route(
    app,
    'GET /api/leaderboards/user-league-team/',
    {
      tags: ['league'],
      summary: "A team of the player's league; 400 without a team, and for any other name",
    },
    (request) => readTeamPage(deps, sessionOf(request).player_id, request.query.team),
  );

  route(
    app,
    'GET /api/seasons/',
    { tags: ['league'], summary: "The player's seasons, running ones first" },
    async (request) => ({ results: await readOwnSeasons(deps, sessionOf(request)) }),
  );

  route(
    app,
    'GET /api/seasons/:id/',
    {
      tags: ['league'],
      summary: 'A season of a league that the player is in, or has played in',
      refusals: withUnknown,
    },
    (request) => readSeasonPage(deps, sessionOf(request), Number(request.params.id)),
  );

  route(
    app,
    'GET /api/leaderboards/user-league-last-week/',
    {
      tags: ['league'],
      summary: "The last closed week of the player's team, for its picture; 400 without a team",
    },
    (request) => {
      const { player_id } = sessionOf(request);
      return deps.fromReplica((db) => readLastWeek({ ...deps, db }, player_id));
    },
  );
}
