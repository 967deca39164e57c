import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { readPlayerFigures } from './figures.ts';
import { readGames } from './history.ts';
import { NOT_YOURS, reportGame, withdrawReport } from './reports.ts';

const gameId = z.guid();

export function gameRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'fromReplica'>,
): void {
  route(
    app,
    'GET /api/users/profile/games/',
    { tags: ['games'], summary: "The player's games, the newest first, and what each counted for" },
    (request) => {
      const { player_id } = sessionOf(request);
      const { cursor } = request.query;
      // The first page comes from the primary: players read it right after a game.
      if (cursor === undefined) return readGames(deps, player_id, cursor);
      return deps.fromReplica((db) => readGames({ ...deps, db }, player_id, cursor));
    },
  );

  route(
    app,
    'GET /api/users/profile/figures/',
    {
      tags: ['games'],
      summary: 'Shooting, the last five, weeks and machines: for the player alone',
    },
    // The figures come from the primary: players read them right after a game.
    (request) => readPlayerFigures(deps, sessionOf(request).player_id),
  );

  route(
    app,
    'POST /api/users/profile/games/:id/report/',
    { tags: ['games'], summary: 'Report a game to the people of the venue' },
    async (request) => {
      const id = gameId.safeParse(request.params.id);
      // Not 404, because the app signs the player out on a 404 (API-06).
      if (!id.success) throw badRequest(NOT_YOURS);
      await reportGame(deps, sessionOf(request), id.data.toLowerCase(), request.body);
      return { state: 'open' as const };
    },
  );

  route(
    app,
    'DELETE /api/users/profile/games/:id/report/',
    { tags: ['games'], summary: 'Take back an open report; 204 also when there is none' },
    async (request) => {
      const id = gameId.safeParse(request.params.id);
      if (id.success) await withdrawReport(deps, sessionOf(request), id.data.toLowerCase());
    },
  );
}
