import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import { callerOf, type Session, sessionOf, userSessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { answerAsks, readAsks } from './asks.ts';
import { deleteOwnAccount } from './delete.ts';
import { exportPlayer } from './export.ts';
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

  route(
    app,
    'GET /api/users/profile/',
    { tags: ['profile'], summary: 'The player' },
    async (request) => userSessionOf(request).user,
  );

  route(
    app,
    'PATCH /api/users/profile/',
    { tags: ['profile'], summary: 'Change the profile: the whole patch or nothing' },
    async (request) => {
      const session = userSessionOf(request);
      const updated = await updateProfile(deps, session, request.body);
      if (request.body.password)
        logSecurity(request, 'password_changed', { actor: 'player', player: session.player_id });
      return updated;
    },
  );

  route(
    app,
    'DELETE /api/users/profile/',
    { tags: ['profile'], summary: 'Delete the account; games stay without a person' },
    async (request) => {
      const password = request.body?.password;
      await deleteOwnAccount(deps, callerOf(request), userSessionOf(request), password);
    },
  );

  route(
    app,
    'GET /api/users/profile/asks/',
    {
      tags: ['profile'],
      summary: 'What the app may ask: whether screens of a venue show the name',
    },
    (request) => readAsks(deps, userSessionOf(request)),
  );

  route(
    app,
    'POST /api/users/profile/asks/',
    { tags: ['profile'], summary: 'Answer: yes, no, or later, which is a no on the fourth visit' },
    (request) => answerAsks(deps, userSessionOf(request), request.body),
  );

  route(
    app,
    'POST /api/users/profile/new-code/',
    { tags: ['profile'], summary: 'Replace the code on the phone' },
    async (request) => {
      const session = sessionOf(request);
      const uuid = await replacePlayerCode(deps, session);
      logSecurity(request, 'code_replaced', { actor: 'player', player: session.player_id });
      return { uuid };
    },
  );

  route(
    app,
    'GET /api/users/profile/export/',
    {
      tags: ['profile'],
      summary: 'Everything stored about the player',
      options: {
        // HEAD would use up a download (P30d).
        exposeHeadRoute: false,
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
