import { leaderboardAnswer, leaderboardQuery } from '#contract/wire/leaderboards.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { readBoard } from './boards.ts';

export function leaderboardRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'fromReplica'>,
): void {
  app.get(
    '/api/leaderboards/',
    {
      schema: {
        tags: ['league'],
        summary: 'High scores: the best 20, and the caller with two neighbours on each side',
        querystring: leaderboardQuery,
        response: { 200: leaderboardAnswer, ...refusals },
      },
    },
    (request) => {
      const { scope, period } = request.query;
      const { player_id } = sessionOf(request);
      return deps.fromReplica((db) => readBoard({ ...deps, db }, player_id, scope, period));
    },
  );
}
