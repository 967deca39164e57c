import { z } from 'zod';
import {
  checkEmailAnswer,
  configAnswer,
  detailAnswer,
  emailBody,
  loginAnswer,
  loginBody,
  logoutBody,
  proofBody,
  providerBody,
  refreshAnswer,
  refreshBody,
  registerAnswer,
  registerBody,
  resetBody,
  sessionAnswer,
  sessionsAnswer,
  verifyBody,
} from '#contract/wire/accounts.ts';
import { detailError, errorBody, providerError } from '#contract/wire/errors.ts';
import { PROVIDERS, removeProviderBody } from '#contract/wire/profile.ts';
import type { Deps } from '../deps.ts';
import { anonymousRefusals, Refusal, refusals } from '../errors.ts';
import { callerOf, sessionOf, userSessionOf } from '../http/caller.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { providerName } from '../players/identities.ts';
import { checkEmail } from './check-email.ts';
import { signIn } from './login.ts';
import { type ProviderSignIn, removeProvider, SENTENCES } from './openid.ts';
import { limitResetRequests, mailResetLink, resetPassword } from './reset.ts';
import { changeAs, endByToken, endSessions, listSessions, refresher } from './sessions.ts';
import { register, resendCode, verifyEmail } from './signup.ts';

const nothing = z.void();
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
  app.get(
    '/api/config/',
    {
      schema: {
        tags: ['account'],
        summary: 'The configuration that a page needs',
        response: { 200: configAnswer, ...anonymousRefusals },
      },
    },
    async () => providers.describe(),
  );

  app.post(
    '/api/users/auth/check-email/',
    {
      schema: {
        tags: ['account'],
        summary: 'Look up an address, to choose the next step',
        body: emailBody,
        response: { 200: checkEmailAnswer, ...anonymousRefusals },
      },
    },
    async (request) => checkEmail(deps, callerOf(request), request.body.email),
  );

  app.post(
    '/api/users/auth/register/',
    {
      schema: {
        tags: ['account'],
        summary: 'Start an account; mails a code, returns no tokens',
        body: registerBody,
        response: { 201: registerAnswer, ...anonymousRefusals },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await register(deps, callerOf(request), request.body.email)),
  );

  app.post(
    '/api/users/resend-verification/',
    {
      schema: {
        tags: ['account'],
        summary: 'Mail another code; the response is the same for every address',
        body: emailBody,
        response: { 200: detailAnswer, ...anonymousRefusals },
      },
    },
    async (request) => {
      await resendCode(deps, callerOf(request), request.body.email);
      return { detail: CODE_SENT };
    },
  );

  app.post(
    '/api/users/verify-email/',
    {
      schema: {
        tags: ['account'],
        summary: 'Verify an address by its code and sign in',
        body: verifyBody,
        response: { 200: sessionAnswer, ...anonymousRefusals },
      },
    },
    async (request) => {
      const { email, code } = request.body;
      return verifyEmail(deps, callerOf(request), email, code);
    },
  );

  app.post(
    '/api/users/auth/login/',
    {
      schema: {
        tags: ['account'],
        summary: 'Sign in by e-mail and password',
        body: loginBody,
        response: { 200: loginAnswer, ...anonymousRefusals },
      },
    },
    async (request) => {
      const { email, password } = request.body;
      return signIn(deps, callerOf(request), email, password);
    },
  );

  const mailing = new Set<Promise<void>>();
  // At shutdown, every promised reset link is queued first (P41).
  app.addHook('onClose', async () => void (await Promise.all(mailing)));

  app.post(
    '/api/users/auth/request-password-reset/',
    {
      schema: {
        tags: ['account'],
        summary: 'Mail a reset link; the response is the same for every address',
        body: emailBody,
        response: { 200: detailAnswer, ...anonymousRefusals },
      },
    },
    async (request) => {
      await limitResetRequests(deps, callerOf(request));
      const { email } = request.body;
      const mail = mailResetLink(deps, callerOf(request), email)
        .catch((err: unknown) => request.log.error({ err }, 'a reset link could not be mailed'))
        .finally(() => mailing.delete(mail));
      mailing.add(mail);
      return { detail: LINK_SENT };
    },
  );

  app.post(
    '/api/users/auth/reset-password/',
    {
      schema: {
        tags: ['account'],
        summary: 'Set the password by a link and sign in',
        body: resetBody,
        response: { 200: sessionAnswer, ...anonymousRefusals },
      },
    },
    async (request) => resetPassword(deps, callerOf(request), request.body),
  );

  for (const id of PROVIDERS)
    app.post(
      `/api/users/auth/${id}/callback/`,
      {
        // The handler reports validation errors as API-04 says.
        attachValidation: true,
        schema: {
          tags: ['account'],
          summary: `Sign in by the code from ${WHO[id]}`,
          body: id === 'google' ? providerBody : proofBody,
          response: {
            200: sessionAnswer,
            ...anonymousRefusals,
            400: z.union([providerError, errorBody]),
            503: z.union([providerError, detailError]),
          },
        },
      },
      async (request) => {
        if (request.validationError)
          throw new Refusal(400, { error: SENTENCES.notCompleted(providerName(deps.config, id)) });
        return providers.signIn(id, callerOf(request), request.body);
      },
    );
}

/**
 * Refresh and sign-out. `deps.db` must be the players' pool, not that of anonymous callers (P17).
 */
export function tokenRoutes(app: App, deps: Pick<Deps, 'config' | 'db' | 'clock'>): void {
  const refreshToken = refresher(deps);

  app.post(
    '/api/users/auth/token/refresh/',
    {
      schema: {
        tags: ['account'],
        summary: 'Refresh the access token; with rotate also the refresh token',
        body: refreshBody,
        response: { 200: refreshAnswer, ...refusals },
      },
    },
    async (request) => {
      const { refresh, rotate = false } = request.body;
      return refreshToken(refresh, rotate, request);
    },
  );

  app.post(
    '/api/users/auth/logout/',
    {
      schema: {
        tags: ['account'],
        summary: 'End the session of a refresh token',
        body: logoutBody,
        response: { 204: nothing, ...anonymousRefusals },
      },
    },
    async (request, reply) => {
      const player = await endByToken(deps, request.body.refresh);
      if (player !== null) logSecurity(request, 'signed_out', { actor: 'player', player });
      return reply.code(204).send();
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
    app.post(
      `/api/users/${id}/`,
      {
        schema: {
          tags: ['account'],
          summary: `Link ${WHO[id]} to the account; needs a sign-in of the last hour`,
          body: proofBody,
          response: {
            204: nothing,
            ...refusals,
            400: z.union([providerError, errorBody]),
            503: z.union([providerError, detailError]),
          },
        },
      },
      async (request, reply) => {
        await providers.link(id, callerOf(request), sessionOf(request), request.body);
        return reply.code(204).send();
      },
    );

    app.delete(
      `/api/users/${id}/`,
      {
        schema: {
          tags: ['account'],
          summary: `Remove ${WHO[id]} from the account; needs its password`,
          body: removeProviderBody,
          response: { 204: nothing, ...refusals },
        },
      },
      async (request, reply) => {
        const { password } = request.body;
        await removeProvider(deps, callerOf(request), userSessionOf(request), { id, password });
        return reply.code(204).send();
      },
    );
  }

  app.get(
    '/api/users/sessions/',
    {
      schema: {
        tags: ['account'],
        summary: 'List the sessions of the player',
        response: { 200: sessionsAnswer, ...refusals },
      },
    },
    async (request) => {
      const { id, player_id } = sessionOf(request);
      return { results: await listSessions(deps, player_id, id) };
    },
  );

  app.delete(
    '/api/users/sessions/',
    {
      schema: {
        tags: ['account'],
        summary: 'End all other sessions',
        response: { 204: nothing, ...refusals },
      },
    },
    async (request, reply) => {
      const { id, player_id } = sessionOf(request);
      const ended = await changeAs(deps, { id, player_id }, (trx) =>
        endSessions(trx, player_id, { except: id }),
      );
      logSecurity(request, 'sessions_ended', { actor: 'player', player: player_id, ended });
      return reply.code(204).send();
    },
  );

  app.delete(
    '/api/users/sessions/:id/',
    {
      schema: {
        tags: ['account'],
        summary: 'End one session; 204 also when it has ended',
        params: z.object({ id: z.string() }),
        response: { 204: nothing, ...refusals },
      },
    },
    async (request, reply) => {
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
      return reply.code(204).send();
    },
  );
}
