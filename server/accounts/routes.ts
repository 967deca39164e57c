import { z } from 'zod';
import { detailError, errorBody, providerError } from '#contract/wire/errors.ts';
import { PROVIDERS } from '#contract/wire/profile.ts';
import type { Deps } from '../deps.ts';
import { anonymousRefusals, Refusal, refusals } from '../errors.ts';
import { callerOf, sessionOf, userSessionOf } from '../http/caller.ts';
import { route } from '../http/route.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { providerName } from '../players/identities.ts';
import { checkEmail } from './check-email.ts';
import { rememberDevice } from './devices.ts';
import { signIn } from './login.ts';
import { type ProviderSignIn, removeProvider, SENTENCES } from './openid.ts';
import { limitResetRequests, mailResetLink, resetPassword } from './reset.ts';
import { changeAs, endByToken, endSessions, listSessions, refresher } from './sessions.ts';
import { register, resendCode, verifyEmail } from './signup.ts';

const WHO = { google: 'Google', oidc: 'the other identity provider' };
const CODE_SENT = 'If this address waits to be verified, a new code is on its way.';
const LINK_SENT = 'If there is an account for this address, a link is on its way.';

/**
 * Sign-up and sign-in. They ignore the Authorization header: clients may send stale tokens
 * (API-07).
 */
export function accountRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
  providers: ProviderSignIn,
): void {
  route(
    app,
    'GET /api/config/',
    {
      tags: ['account'],
      summary: 'The configuration that a page needs',
      refusals: anonymousRefusals,
    },
    async () => providers.describe(),
  );

  route(
    app,
    'POST /api/users/auth/check-email/',
    {
      tags: ['account'],
      summary: 'Look up an address, to choose the next step',
      refusals: anonymousRefusals,
    },
    async (request) => checkEmail(deps, callerOf(request), request.body.email),
  );

  route(
    app,
    'POST /api/users/auth/register/',
    {
      tags: ['account'],
      summary: 'Start an account; mails a code, returns no tokens',
      refusals: anonymousRefusals,
    },
    (request) => register(deps, callerOf(request), request.body.email),
  );

  route(
    app,
    'POST /api/users/resend-verification/',
    {
      tags: ['account'],
      summary: 'Mail another code; the response is the same for every address',
      refusals: anonymousRefusals,
    },
    async (request) => {
      await resendCode(deps, callerOf(request), request.body.email);
      return { detail: CODE_SENT };
    },
  );

  route(
    app,
    'POST /api/users/verify-email/',
    {
      tags: ['account'],
      summary: 'Verify an address by its code and sign in',
      refusals: anonymousRefusals,
    },
    async (request, reply) => {
      const { email, code } = request.body;
      const answer = await verifyEmail(deps, callerOf(request), email, code);
      rememberDevice(deps, request, reply, answer.user);
      return answer;
    },
  );

  route(
    app,
    'POST /api/users/auth/login/',
    { tags: ['account'], summary: 'Sign in by e-mail and password', refusals: anonymousRefusals },
    async (request, reply) => {
      const { email, password } = request.body;
      const answer = await signIn(deps, callerOf(request), email, password);
      rememberDevice(deps, request, reply, answer.user);
      return answer;
    },
  );

  const mailing = new Set<Promise<void>>();
  // Before a shutdown ends, every promised reset link is queued (P41).
  app.addHook('onClose', async () => void (await Promise.all(mailing)));

  route(
    app,
    'POST /api/users/auth/request-password-reset/',
    {
      tags: ['account'],
      summary: 'Mail a reset link; the response is the same for every address',
      refusals: anonymousRefusals,
    },
    async (request) => {
      const { email } = request.body;
      if (!(await limitResetRequests(deps, callerOf(request), email))) return { detail: LINK_SENT };
      const mail = mailResetLink(deps, callerOf(request), email)
        .catch((err: unknown) => request.log.error({ err }, 'a reset link could not be mailed'))
        .finally(() => mailing.delete(mail));
      mailing.add(mail);
      return { detail: LINK_SENT };
    },
  );

  route(
    app,
    'POST /api/users/auth/reset-password/',
    {
      tags: ['account'],
      summary: 'Set the password by a link and sign in',
      refusals: anonymousRefusals,
    },
    async (request, reply) => {
      const answer = await resetPassword(deps, callerOf(request), request.body);
      rememberDevice(deps, request, reply, answer.user);
      return answer;
    },
  );

  for (const id of PROVIDERS)
    route(
      app,
      `POST /api/users/auth/${id}/callback/`,
      {
        tags: ['account'],
        summary: `Sign in by the code from ${WHO[id]}`,
        refusals: {
          ...anonymousRefusals,
          400: z.union([providerError, errorBody]),
          503: z.union([providerError, detailError]),
        },
        options: {
          // The handler reports validation errors in the form of API-04.
          attachValidation: true,
        },
      },
      async (request, reply) => {
        if (request.validationError)
          throw new Refusal(400, { error: SENTENCES.notCompleted(providerName(deps.config, id)) });
        const answer = await providers.signIn(id, callerOf(request), request.body);
        rememberDevice(deps, request, reply, answer.user);
        return answer;
      },
    );
}

/**
 * Refresh and sign-out. `deps.db` must be the players' pool, not that of anonymous callers (P17).
 */
export function tokenRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const refreshToken = refresher(deps);

  route(
    app,
    'POST /api/users/auth/token/refresh/',
    { tags: ['account'], summary: 'Refresh the access token; with rotate also the refresh token' },
    async (request) => {
      const { refresh, rotate = false } = request.body;
      return refreshToken(refresh, rotate, request);
    },
  );

  route(
    app,
    'POST /api/users/auth/logout/',
    {
      tags: ['account'],
      summary: 'End the session of a refresh token',
      refusals: anonymousRefusals,
    },
    async (request) => {
      const player = await endByToken(deps, request.body.refresh);
      if (player !== null) logSecurity(request, 'signed_out', { actor: 'player', player });
    },
  );
}

/** The caller's sessions (P8) and providers (P29c, ACC-50). */
export function ownAccountRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
  providers: ProviderSignIn,
): void {
  for (const id of PROVIDERS) {
    route(
      app,
      `POST /api/users/${id}/`,
      {
        tags: ['account'],
        summary: `Link ${WHO[id]} to the account; needs a sign-in of the last hour`,
        refusals: {
          ...refusals,
          400: z.union([providerError, errorBody]),
          503: z.union([providerError, detailError]),
        },
      },
      async (request) => {
        await providers.link(id, callerOf(request), sessionOf(request), request.body);
      },
    );

    route(
      app,
      `DELETE /api/users/${id}/`,
      { tags: ['account'], summary: `Remove ${WHO[id]} from the account; needs its password` },
      async (request) => {
        const { password } = request.body;
        await removeProvider(deps, callerOf(request), userSessionOf(request), { id, password });
      },
    );
  }

  route(
    app,
    'GET /api/users/sessions/',
    { tags: ['account'], summary: 'List the sessions of the player' },
    async (request) => {
      const { id, player_id } = sessionOf(request);
      return { results: await listSessions(deps, player_id, id) };
    },
  );

  route(
    app,
    'DELETE /api/users/sessions/',
    { tags: ['account'], summary: 'End all other sessions' },
    async (request) => {
      const { id, player_id } = sessionOf(request);
      const ended = await changeAs(deps, { id, player_id }, (trx) =>
        endSessions(trx, player_id, { except: id }),
      );
      logSecurity(request, 'sessions_ended', { actor: 'player', player: player_id, ended });
    },
  );

  route(
    app,
    'DELETE /api/users/sessions/:id/',
    { tags: ['account'], summary: 'End one session; 204 also when it has ended' },
    async (request) => {
      const only = z.guid().safeParse(request.params.id);
      // 204 for a malformed id too: a 404 signs clients out (API-06).
      if (only.success) {
        const session = sessionOf(request);
        const ended = await changeAs(deps, session, (trx, player) =>
          endSessions(trx, player.id, { only: only.data }),
        );
        logSecurity(request, 'sessions_ended', {
          actor: 'player',
          player: session.player_id,
          ended,
        });
      }
    },
  );
}
