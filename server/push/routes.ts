import { detailError } from '#contract/wire/errors.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { callerOf, sessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { endDevice, putDevice } from './devices.ts';
import { changePush, readPush } from './preferences.ts';
import { sendTest } from './test-notice.ts';

export function pushRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>): void {
  route(
    app,
    'GET /api/users/push/',
    { tags: ['notifications'], summary: 'The switches, the devices, and whether the app may ask' },
    (request) => readPush(deps, sessionOf(request)),
  );

  route(
    app,
    'PATCH /api/users/push/',
    { tags: ['notifications'], summary: 'Change switches, or put the question off' },
    (request) => changePush(deps, sessionOf(request), request.body),
  );

  route(
    app,
    'PUT /api/users/push/device/',
    {
      tags: ['notifications'],
      summary: 'Send notifications to the browser of this session',
      refusals: { ...refusals, 409: detailError },
    },
    async (request) => {
      const session = sessionOf(request);
      const { client } = callerOf(request);
      const { id, added } = await putDevice(deps, session, request.body, client);
      if (added)
        logSecurity(request, 'push_device_added', { actor: 'player', player: session.player_id });
      return { id };
    },
  );

  route(
    app,
    'DELETE /api/users/push/devices/:id/',
    { tags: ['notifications'], summary: 'Send none to a device; 204 also when there is none' },
    async (request) => {
      const session = sessionOf(request);
      if (await endDevice(deps, session, request.params.id, request.query.why))
        logSecurity(request, 'push_device_removed', { actor: 'player', player: session.player_id });
    },
  );

  route(
    app,
    'POST /api/users/push/test/',
    { tags: ['notifications'], summary: 'Send a test to all devices' },
    (request) => sendTest(deps, sessionOf(request)),
  );
}
