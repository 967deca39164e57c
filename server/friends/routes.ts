import { detailError } from '#contract/wire/errors.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { blockRival, listBlocked, unblock } from './blocks.ts';
import { answerCode, askByCode, makeCode, openCode, readAsked } from './codes.ts';
import { blockFriend, compare, listFriends, removeFriend } from './friends.ts';

const tags = ['friends'];
const withUnknown = { ...refusals, 404: detailError };

export function friendRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>): void {
  route(app, 'GET /api/friends/', { tags, summary: "The player's friends" }, (request) =>
    listFriends(deps, sessionOf(request).player_id),
  );

  route(
    app,
    'POST /api/friends/code/',
    { tags, summary: 'Make a code to show for ten minutes; it ends the one before' },
    (request) => makeCode(deps, sessionOf(request)),
  );

  route(
    app,
    'GET /api/friends/code/',
    {
      tags,
      summary: 'Who asks by the code that is shown; 404 without a code',
      refusals: withUnknown,
    },
    (request) => readAsked(deps, sessionOf(request).player_id),
  );

  route(
    app,
    'POST /api/friends/code/answer/',
    { tags, summary: 'Say yes or no to whoever asks, or block them' },
    async (request) => {
      const session = sessionOf(request);
      await answerCode(deps, session, request.body);
      if (request.body.block)
        logSecurity(request, 'player_blocked', { actor: 'player', player: session.player_id });
    },
  );

  route(
    app,
    'POST /api/friends/open/',
    { tags, summary: 'Whose code it is; one sentence for every code that does not work' },
    (request) => openCode(deps, { ...sessionOf(request), ip: request.ip }, request.body.code),
  );

  route(
    app,
    'POST /api/friends/ask/',
    { tags, summary: 'Ask the player who shows the code' },
    (request) => askByCode(deps, { ...sessionOf(request), ip: request.ip }, request.body.code),
  );

  route(
    app,
    'POST /api/users/duels/:id/block/',
    { tags, summary: 'Block the rival of a duel, which ends it' },
    async (request) => {
      const session = sessionOf(request);
      await blockRival(deps, session, request.params.id);
      logSecurity(request, 'player_blocked', { actor: 'player', player: session.player_id });
    },
  );

  route(app, 'GET /api/blocks/', { tags, summary: 'Whom the player has blocked' }, (request) =>
    listBlocked(deps, sessionOf(request).player_id),
  );

  route(
    app,
    'DELETE /api/blocks/:n/',
    { tags, summary: 'Lift a block; 204 also when there is none' },
    (request) => unblock(deps, sessionOf(request), request.params.n),
  );

  route(
    app,
    'GET /api/friends/:n/',
    { tags, summary: 'Compare with a friend', refusals: withUnknown },
    (request) => compare(deps, sessionOf(request).player_id, request.params.n),
  );

  route(
    app,
    'DELETE /api/friends/:n/',
    { tags, summary: 'Remove a friend; 204 also when there is none' },
    (request) => removeFriend(deps, sessionOf(request), request.params.n),
  );

  route(
    app,
    'POST /api/friends/:n/block/',
    { tags, summary: 'Remove and block a friend' },
    async (request) => {
      const session = sessionOf(request);
      await blockFriend(deps, session, request.params.n);
      logSecurity(request, 'player_blocked', { actor: 'player', player: session.player_id });
    },
  );
}
