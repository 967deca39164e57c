import type { Deps } from '../deps.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { nudge } from './nudges.ts';

export function nudgeRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>): void {
  route(
    app,
    'POST /api/users/nudges/',
    {
      tags: ['nudges'],
      summary: 'Nudge a teammate; the same answer whether nudges are off or on',
    },
    (request) => nudge(deps, sessionOf(request), request.body.username),
  );
}
