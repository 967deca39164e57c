import { z } from 'zod';
import { deleteProfileBody, newCodeAnswer, profilePatch, user } from '#contract/wire/profile.ts';
import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { callerOf, type Session, sessionOf, userSessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { deleteOwnAccount } from './delete.ts';
import { exportAnswer, exportPlayer } from './export.ts';
import { replacePlayerCode, updateProfile } from './profile.ts';

export function profileRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
): void {
  // Each process makes one export at a time, because an export with many games keeps the database
  // busy for seconds (P30d).
  const readExport = batched(
    (sessions: Session[]) => Promise.all(sessions.map((session) => exportPlayer(deps, session))),
    { max: 1, concurrency: 1 },
  );

  app.get(
    '/api/users/profile/',
    {
      schema: {
        tags: ['profile'],
        summary: 'The player',
        response: { 200: user, ...refusals },
      },
    },
    async (request) => userSessionOf(request).user,
  );

  app.patch(
    '/api/users/profile/',
    {
      schema: {
        tags: ['profile'],
        summary: 'Change the profile: the whole patch or nothing',
        body: profilePatch,
        response: { 200: user, ...refusals },
      },
    },
    async (request) => {
      const session = userSessionOf(request);
      const updated = await updateProfile(deps, session, request.body);
      if (request.body.password)
        logSecurity(request, 'password_changed', { actor: 'player', player: session.player_id });
      return updated;
    },
  );

  app.delete(
    '/api/users/profile/',
    {
      schema: {
        tags: ['profile'],
        summary: 'Delete the account; games stay without a person',
        body: deleteProfileBody.nullish(),
        response: { 204: z.void(), ...refusals },
      },
    },
    async (request, reply) => {
      const password = request.body?.password;
      await deleteOwnAccount(deps, callerOf(request), userSessionOf(request), password);
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/users/profile/new-code/',
    {
      schema: {
        tags: ['profile'],
        summary: 'Replace the code on the phone',
        response: { 200: newCodeAnswer, ...refusals },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      const uuid = await replacePlayerCode(deps, session);
      logSecurity(request, 'code_replaced', { actor: 'player', player: session.player_id });
      return { uuid };
    },
  );

  app.get(
    '/api/users/profile/export/',
    {
      // HEAD would use up a download (P30d).
      exposeHeadRoute: false,
      schema: {
        tags: ['profile'],
        summary: 'Everything stored about the player',
        response: { 200: exportAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      reply.header('content-disposition', 'attachment; filename="backboard-export.json"');
      const session = sessionOf(request);
      const data = await readExport(session);
      logSecurity(request, 'data_exported', { actor: 'player', player: session.player_id });
      return data;
    },
  );
}
