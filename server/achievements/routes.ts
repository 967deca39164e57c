import { achievementsAnswer, userAchievementsAnswer } from '#contract/wire/achievements.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { readAchievements, readWon } from './list.ts';

/** All achievements, and the player's own (API-17). */
export function achievementRoutes(app: App, deps: Pick<Deps, 'db' | 'clock'>): void {
  app.get(
    '/api/achievements/',
    {
      schema: {
        tags: ['achievements'],
        summary: "All achievements, with the player's progress",
        response: { 200: achievementsAnswer, ...refusals },
      },
    },
    (request) => readAchievements(deps, sessionOf(request).player_id),
  );

  app.get(
    '/api/achievements/user_achievements/',
    {
      schema: {
        tags: ['achievements'],
        summary: 'The achievements that the player has won, each with the game that won it',
        response: { 200: userAchievementsAnswer, ...refusals },
      },
    },
    (request) => readWon(deps, sessionOf(request).player_id),
  );
}
