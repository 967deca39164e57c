import type {
  LoginBody,
  ProofBody,
  RefreshAnswer,
  RegisterAnswer,
  RegisterBody,
  ResetBody,
  Tokens,
  VerifyBody,
} from '#contract/wire/accounts.ts';
import type { ProfilePatch, ProviderId } from '#contract/wire/profile.ts';
import { type Client, type Edge, read, send } from './client.ts';

// These calls are not in calls.ts, so that /login stays within its size limit (scripts/budget.ts).

const AUTH = '/api/users/auth/';
const PROFILE = '/api/users/profile/';

const ANONYMOUS = { anonymous: true };

export const getConfig = (client: Client) => client.get('/api/config/');

export const checkEmail = (client: Client, email: string) =>
  client.post(`${AUTH}check-email/`, { email }, ANONYMOUS);

/** Mails a code to a new address. Backboard's server never sends `tokens` (ACC-02). */
export const register = (
  client: Client,
  body: RegisterBody,
): Promise<RegisterAnswer & { tokens?: Tokens }> =>
  client.post(`${AUTH}register/`, body, ANONYMOUS);

export const resendVerification = (client: Client, email: string) =>
  client.post('/api/users/resend-verification/', { email }, ANONYMOUS);

export const verifyEmail = (client: Client, body: VerifyBody) =>
  client.post('/api/users/verify-email/', body, ANONYMOUS);

export const login = (client: Client, body: LoginBody) =>
  client.post(`${AUTH}login/`, body, ANONYMOUS);

export const loginWith = (client: Client, id: ProviderId, body: ProofBody) =>
  client.post(`${AUTH}${id}/callback/`, body, ANONYMOUS);

/**
 * Links a provider (ACC-50). 400: the code is bad, or another player has this identity. 403: the
 * sign-in is more than an hour old.
 */
export const linkProvider = (client: Client, id: ProviderId, body: ProofBody) =>
  client.post(`/api/users/${id}/`, body);

export const requestPasswordReset = (client: Client, email: string) =>
  client.post(`${AUTH}request-password-reset/`, { email });

export const resetPassword = (client: Client, body: ResetBody) =>
  client.post(`${AUTH}reset-password/`, body);

/** A session's tokens, for calls that do not use the stored session. */
type SessionTokens = { refresh: string; bearer: string | null };

/** Exchanges a refresh token for new tokens (API-12, P3) within `timeoutMs`. */
export async function refreshTokens(
  edge: Edge,
  { refresh, bearer }: SessionTokens,
  timeoutMs?: number,
): Promise<RefreshAnswer> {
  const body = { refresh, rotate: true };
  return read(await send(edge, 'POST', `${AUTH}token/refresh/`, { body, bearer, timeoutMs }));
}

/** Revokes a refresh token's session. Ignores an error response; throws CannotReach. */
export async function logout(edge: Edge, { refresh, bearer }: SessionTokens): Promise<void> {
  await send(edge, 'POST', `${AUTH}logout/`, { body: { refresh }, bearer });
}

export const getProfile = (client: Client, signal?: AbortSignal) => client.get(PROFILE, signal);

export const patchProfile = (client: Client, patch: ProfilePatch) => client.patch(PROFILE, patch);

/** Deletes the account. Without `password` the server requires a recent sign-in (ACC-28). */
export const deleteProfile = (client: Client, password?: string) =>
  client.delete(PROFILE, password === undefined ? undefined : { password });

export const replaceCode = (client: Client) => client.post(`${PROFILE}new-code/`);
