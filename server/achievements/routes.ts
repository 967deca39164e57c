import type { Deps } from '../deps.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { readAchievements, readWon } from './list.ts';

/** All achievements, and the player's own (API-17). */
export function achievementRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  route(
    app,
    'GET /api/achievements/',
    { tags: ['achievements'], summary: "All achievements, with the player's progress" },
    (request) => readAchievements(deps, sessionOf(request).player_id),
  );

  route(
    app,
    'GET /api/achievements/user_achievements/',
    {
      tags: ['achievements'],
      summary: 'The achievements that the player has won, each with the game that won it',
    },
    (request) => readWon(deps, sessionOf(request).player_id),
  );
}
