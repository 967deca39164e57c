import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import { z } from 'zod';
import { CONSOLE_TOPICS } from '#contract/rules/live.ts';
import {
  deviceParams,
  devicesAnswer,
  meAnswer,
  newDeviceBody,
  passkeyCreationOptions,
} from '#contract/wire/staff.ts';
import { notifyConsole } from '../db/notifications.ts';
import { findNamed } from '../db/reference.ts';
import type { Deps } from '../deps.ts';
import { notFound, refusals, unavailable } from '../errors.ts';
import { sendEvents } from '../http/event-stream.ts';
import type { App } from '../http/scope.ts';
import { listLeagues } from '../leagues/leagues.ts';
import type { ConsoleLive } from '../live/console.ts';
import { listVenues } from '../venues/venues.ts';
import { staffOf } from './actor.ts';
import { audited } from './audit.ts';
import { leastRole } from './authenticate.ts';
import { checkRegistration, registrationOptions, storePasskey } from './passkeys.ts';
import { isLimited, policyOf } from './policy.ts';
import { listStaffSessions, ownerNames, readStaff, removePasskey, STAFF } from './staff.ts';

/*
 * What signed-in staff read and change about themselves. Owners manage staff in
 * server/operator/staff.ts.
 */

/** A Node timer can wait at most 24 days. */
const STREAM_MS = 20 * 24 * 3_600_000;

const ids = (rows: { id: number; name: string }[]) =>
  rows.map(({ id, name }) => ({ id: String(id), name }));

/** Ends the streams of `live` when `app` closes. */
export function ownStaffRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'draining'>,
  live: ConsoleLive,
): void {
  const { db, config, clock } = deps;
  app.addHook('preClose', () => live.close());
  const own = (summary: string) => ({ tags: ['console'], summary, ...leastRole('floor') });

  app.get(
    '/api/console/me/',
    { schema: { ...own('Read who is signed in'), response: { 200: meAnswer, ...refusals } } },
    async (request) => {
      const actor = staffOf(request);
      const reached = policyOf(actor);
      const sessions = await listStaffSessions(deps, actor.id);
      const session = sessions.find(({ id }) => id === actor.session_id);
      if (session === undefined) throw notFound('This session has just ended.');
      return {
        id: String(actor.id),
        name: actor.name,
        role: actor.role,
        brand: config.brand,
        limited: isLimited(actor),
        venues: ids(await listVenues(db, reached.venue(sql.ref('v.id')))),
        leagues: ids(await listLeagues(db, reached.league(sql.ref('l.id')))),
        owners: await ownerNames(db),
        session: {
          kind: session.passkey_id === null ? ('link' as const) : ('passkey' as const),
          device: session.device,
          expires_at: session.expires_at.toISOString(),
        },
        server_time: clock.now().toISOString(),
      };
    },
  );

  app.get(
    '/api/console/devices/',
    { schema: { ...own('List the own devices'), response: { 200: devicesAnswer, ...refusals } } },
    async (request) => {
      const actor = staffOf(request);
      const { devices } = await readStaff(deps, actor.id);
      const sessions = await listStaffSessions(deps, actor.id);
      const current = sessions.find(({ id }) => id === actor.session_id)?.passkey_id;
      return {
        results: devices.map((device) => ({
          id: device.id,
          name: device.name,
          created_at: device.created_at.toISOString(),
          last_used_at: device.last_used_at?.toISOString() ?? null,
          current: device.id === current,
        })),
      };
    },
  );

  app.post(
    '/api/console/devices/options/',
    {
      schema: {
        ...own('Begin to add a device'),
        response: { 200: passkeyCreationOptions, ...refusals },
      },
    },
    async (request, reply) => {
      const actor = staffOf(request);
      const { handle } = await findNamed(db, STAFF, `id:${actor.id}`);
      return registrationOptions(deps, db, reply, { ...actor, handle });
    },
  );

  app.post(
    '/api/console/devices/',
    {
      schema: {
        ...own('Add a device'),
        body: newDeviceBody,
        response: { 204: z.undefined(), ...refusals },
      },
    },
    async (request, reply) => {
      const actor = staffOf(request);
      const { device, response } = request.body;
      const passkey = await checkRegistration(
        deps,
        db,
        request,
        actor.id,
        response as unknown as RegistrationResponseJSON,
      );
      await audited(deps, actor, { ofStaff: true }, async (trx, write) => {
        await storePasskey(deps, trx, request, { ...passkey, staff_id: actor.id, name: device });
        await write({ area: 'staff', what: 'Set up a passkey', after: { device } });
        await notifyConsole(trx, ['staff']);
      });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/console/devices/:id/',
    {
      schema: {
        ...own('Remove an own device'),
        params: deviceParams,
        response: { 204: z.undefined(), ...refusals },
      },
    },
    async (request, reply) => {
      const actor = staffOf(request);
      await audited(deps, actor, { ofStaff: true }, async (trx, write) => {
        const device = await removePasskey(deps, trx, actor.id, request.params.id);
        if (device === undefined) return;
        await write({ area: 'staff', what: 'Removed a device', before: { device } });
        await notifyConsole(trx, ['staff']);
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/api/console/events/',
    {
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      handlerTimeout: STREAM_MS,
      schema: {
        ...own('Stream events about changes'),
        response: {
          ...refusals,
          200: {
            description: `Server-sent events: ${CONSOLE_TOPICS.join(', ')}. Their data is the time.`,
            content: { 'text/event-stream': { schema: z.unknown() } },
          },
        },
      },
    },
    async (request, reply) => {
      if (deps.draining()) throw unavailable('Shutting down.');
      return sendEvents(reply, await live.open(staffOf(request).session_id));
    },
  );
}
