import type { Deps } from '../deps.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { readBoard } from './read-board.ts';

export function leaderboardRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'fromReplica'>,
): void {
  route(
    app,
    'GET /api/leaderboards/',
    {
      tags: ['league'],
      summary: 'High scores: the best 20, and the caller with two neighbours on each side',
    },
    (request) => {
      const { scope, period } = request.query;
      const { player_id } = sessionOf(request);
      return deps.fromReplica((db) => readBoard({ ...deps, db }, player_id, scope, period));
    },
  );
}
