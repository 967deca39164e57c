import type { Deps } from '../deps.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import {
  acceptDuel,
  declineDuel,
  listDuels,
  listPartners,
  offerDuel,
  takeBackDuel,
} from './duels.ts';

const tags = ['duels'];

export function duelRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>): void {
  route(
    app,
    'GET /api/users/duels/',
    { tags, summary: 'Offers, running duels and decided ones' },
    (request) => listDuels(deps, sessionOf(request).player_id, request.query.cursor),
  );

  route(
    app,
    'GET /api/users/duels/partners/',
    { tags, summary: 'Whom the player may ask' },
    async (request) => ({ results: await listPartners(deps, sessionOf(request).player_id) }),
  );

  route(
    app,
    'POST /api/users/duels/',
    { tags, summary: 'Offer a duel; one refusal for all that must not be known' },
    (request) => offerDuel(deps, sessionOf(request), request.body.username),
  );

  route(app, 'POST /api/users/duels/:id/accept/', { tags, summary: 'Accept an offer' }, (request) =>
    acceptDuel(deps, sessionOf(request), request.params.id),
  );

  route(
    app,
    'POST /api/users/duels/:id/decline/',
    { tags, summary: 'Decline an offer; the other is not told' },
    (request) => declineDuel(deps, sessionOf(request), request.params.id),
  );

  route(
    app,
    'DELETE /api/users/duels/:id/',
    { tags, summary: 'Take an offer back; 204 also when it is over' },
    (request) => takeBackDuel(deps, sessionOf(request), request.params.id),
  );
}
