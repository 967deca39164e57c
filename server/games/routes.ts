import { gamesAnswer, gamesQuery } from '#contract/games.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { readGames } from './history.ts';

/** The routes of a player's own games, in the player scope (API-15). */
export function gameRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/users/profile/games/',
    {
      schema: {
        tags: ['games'],
        summary: "The player's games, the newest first, and what each counted for",
        querystring: gamesQuery,
        response: { 200: gamesAnswer, ...refusals },
      },
    },
    (request) => {
      const { player_id } = sessionOf(request);
      const { cursor } = request.query;
      // The first page must be fresh, because players read it right after a game. Later pages may
      // be stale, so a replica may serve them.
      if (cursor === undefined) return readGames(deps, player_id, cursor);
      return deps.fromReplica((db) => readGames({ ...deps, db }, player_id, cursor));
    },
  );
}
