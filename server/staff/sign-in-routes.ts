import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  linkBody,
  linkDeviceBody,
  linkRegisterBody,
  linkShown,
  passkeyCreationOptions,
  passkeyRequestOptions,
  signInBody,
} from '#contract/wire/staff.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { anonymousRefusals, forbidden } from '../errors.ts';
import { callerOf } from '../http/caller.ts';
import { limit, networkLimits } from '../http/limits.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { audit } from './audit.ts';
import { requireOwnPage } from './authenticate.ts';
import { readLink } from './links.ts';
import {
  canHavePasskeys,
  checkRegistration,
  proveSignIn,
  registrationOptions,
  requirePasskey,
  signInOptions,
  storePasskey,
} from './passkeys.ts';
import { endStaffSessions, forgetCookie, openStaffSession, readStaffSession } from './sessions.ts';
import { readStaff } from './staff.ts';

const answers = { ...anonymousRefusals, 404: z.object({ detail: z.string() }) };
const schema = (summary: string) => ({ tags: ['console'], summary });

/** Sign-in by link or passkey, without a session (P60, P61). */
export function signInRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>): void {
  const { db, config } = deps;

  async function guard(request: FastifyRequest, name: 'staff_link' | 'staff_sign_in') {
    requireOwnPage(request);
    await limit(deps, networkLimits(request.ip, name));
  }

  app.post(
    '/api/console/link/',
    {
      schema: {
        ...schema('Read a one-time link; it stays usable'),
        body: linkBody,
        response: { 200: linkShown, ...answers },
      },
    },
    async (request) => {
      await guard(request, 'staff_link');
      const invited = await readLink(deps, db, request.body.token, { use: false });
      const { venues, leagues } = await readStaff(deps, invited.id);
      return {
        name: invited.name,
        role: invited.role,
        venues: venues.map(({ name }) => name),
        leagues: leagues.map(({ name }) => name),
        invited_by: invited.made_by,
        valid_until: invited.expires_at.toISOString(),
        passkeys: canHavePasskeys(config),
      };
    },
  );

  app.post(
    '/api/console/link/options/',
    {
      schema: {
        ...schema('Begin to set up a passkey by a one-time link'),
        body: linkBody,
        response: { 200: passkeyCreationOptions, ...answers },
      },
    },
    async (request, reply) => {
      await guard(request, 'staff_link');
      const invited = await readLink(deps, db, request.body.token, { use: false });
      return registrationOptions(deps, db, reply, invited);
    },
  );

  app.post(
    '/api/console/link/register/',
    {
      schema: {
        ...schema('Store the passkey, use the link up, and sign in'),
        body: linkRegisterBody,
        response: { 204: z.undefined(), ...answers },
      },
    },
    async (request, reply) => {
      await guard(request, 'staff_link');
      const { token, device, response } = request.body;
      const { id } = await readLink(deps, db, token, { use: false });
      const passkey = await checkRegistration(
        deps,
        db,
        request,
        id,
        response as unknown as RegistrationResponseJSON,
      );
      await join(request, reply, token, device, async (trx, staffId) => {
        await storePasskey(deps, trx, request, { ...passkey, staff_id: staffId, name: device });
        return passkey.id;
      });
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/console/link/session/',
    {
      schema: {
        ...schema('Use the link up for a session of 12 h, where no passkey can be made'),
        body: linkDeviceBody,
        response: { 204: z.undefined(), ...answers },
      },
    },
    async (request, reply) => {
      await guard(request, 'staff_link');
      if (canHavePasskeys(config)) throw forbidden('Set up a passkey: this address can have them.');
      await join(request, reply, request.body.token, request.body.device, async () => null);
      return reply.code(204).send();
    },
  );

  /** Uses up a link and opens a session, in one transaction (P61, P62). */
  async function join(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    device: string,
    passkey: (trx: Deps['db'], staffId: number) => Promise<string | null>,
  ): Promise<void> {
    const { client } = callerOf(request);
    const joined = await db.transaction().execute(async (trx) => {
      const invited = await readLink(deps, trx, token, { use: true });
      const passkey_id = await passkey(trx, invited.id);
      await openStaffSession(deps, trx, [request, reply], {
        staff_id: invited.id,
        passkey_id,
        device,
        client,
      });
      const rights = { everything: false, venues: [], leagues: [] };
      const actor = { ...invited, ...rights, kind: 'staff', session_id: '' } as const;
      await audit(deps, trx, actor, {
        area: 'staff',
        what: passkey_id === null ? 'Opened the console by a link' : 'Set up a passkey',
        after: { device },
      });
      await notifyConsole(trx, ['staff']);
      return invited;
    });
    logSecurity(request, 'staff_joined', { actor: 'staff', staff: joined.id });
  }

  app.post(
    '/api/console/sign-in/options/',
    {
      schema: {
        ...schema('Begin to sign in with a passkey'),
        response: { 200: passkeyRequestOptions, ...answers },
      },
    },
    async (request, reply) => {
      await guard(request, 'staff_sign_in');
      return signInOptions(deps, db, reply);
    },
  );

  app.post(
    '/api/console/sign-in/',
    {
      schema: {
        ...schema('Sign in with a passkey'),
        body: signInBody,
        response: { 204: z.undefined(), ...answers },
      },
    },
    async (request, reply) => {
      await guard(request, 'staff_sign_in');
      const response = request.body.response as unknown as AuthenticationResponseJSON;
      const proven = await proveSignIn(deps, [request, reply], response);
      const { client } = callerOf(request);
      await db.transaction().execute(async (trx) => {
        await requirePasskey(trx, proven.passkey_id);
        await openStaffSession(deps, trx, [request, reply], { ...proven, client });
        await notifyConsole(trx, ['staff']);
      });
      logSecurity(request, 'staff_signed_in', { actor: 'staff', staff: proven.staff_id });
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/console/sign-out/',
    {
      schema: {
        ...schema('End the session of this browser'),
        response: { 204: z.undefined(), ...answers },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const actor = await readStaffSession(deps, request);
      if (actor !== undefined) {
        await endStaffSessions(db, actor.id, actor.session_id);
        await notifyConsole(db, ['staff']);
      }
      forgetCookie(reply, config);
      return reply.code(204).send();
    },
  );
}
