import { sql } from 'kysely';
import { newCodeAnswer, profilePatch, user } from '#contract/profile.ts';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { refusals } from '../errors.ts';
import { sessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { exportAnswer, exportPlayer } from './export.ts';
import { type PasswordChange, updateProfile } from './profile.ts';

/** Gives the player another code; the old one is worth nothing to machines at once (contract 2). */
async function replaceCode(db: Database, playerId: number): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const { uuid } = await trx
      .updateTable('players')
      .set({ uuid: sql`gen_random_uuid()` })
      .where('id', '=', playerId)
      .returning('uuid')
      .executeTakeFirstOrThrow();
    await notify(trx, { profile: [playerId] });
    return uuid;
  });
}

/** The caller's own profile (spec 7, contract 2); `passwords` comes from the accounts. */
export function profileRoutes(app: App, deps: Deps, passwords: PasswordChange): void {
  app.get(
    '/api/users/profile/',
    {
      schema: {
        tags: ['profile'],
        summary: 'The player',
        response: { 200: user, ...refusals },
      },
    },
    // The scope's hook has read it, together with the session (P4).
    async (request) => sessionOf(request).user,
  );

  app.patch(
    '/api/users/profile/',
    {
      schema: {
        tags: ['profile'],
        summary: 'Change the profile, all of it or nothing',
        body: profilePatch,
        response: { 200: user, ...refusals },
      },
    },
    async (request) => updateProfile(deps, sessionOf(request), request.body, passwords),
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
    async (request) => ({ uuid: await replaceCode(deps.db, sessionOf(request).player_id) }),
  );

  app.get(
    '/api/users/profile/export/',
    {
      schema: {
        tags: ['profile'],
        summary: 'Everything stored about the player',
        response: { 200: exportAnswer, ...refusals },
      },
    },
    async (request, reply) => {
      reply.header('content-disposition', 'attachment; filename="backboard-export.json"');
      return exportPlayer(deps, sessionOf(request));
    },
  );
}
