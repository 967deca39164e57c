import type {
  CheckEmailAnswer,
  ConfigAnswer,
  DetailAnswer,
  LoginAnswer,
  LoginBody,
  ProofBody,
  RefreshAnswer,
  RegisterAnswer,
  RegisterBody,
  ResetBody,
  SessionAnswer,
  Tokens,
  VerifyBody,
} from '#contract/wire/accounts.ts';
import type { NewCodeAnswer, ProfilePatch, ProviderId, User } from '#contract/wire/profile.ts';
import { type Client, type Edge, read, send } from './client.ts';

// These calls are not in calls.ts, so that /login stays within its size limit (scripts/budget.ts).

const AUTH = '/api/users/auth/';
const PROFILE = '/api/users/profile/';

const ANONYMOUS = { anonymous: true };

export const getConfig = (client: Client) => client.get<ConfigAnswer>('/api/config/');

export const checkEmail = (client: Client, email: string) =>
  client.post<CheckEmailAnswer>(`${AUTH}check-email/`, { email }, ANONYMOUS);

/** Mails a code to a new address. Backboard's server never sends `tokens` (ACC-02). */
export const register = (client: Client, body: RegisterBody) =>
  client.post<RegisterAnswer & { tokens?: Tokens }>(`${AUTH}register/`, body, ANONYMOUS);

export const resendVerification = (client: Client, email: string) =>
  client.post<DetailAnswer>('/api/users/resend-verification/', { email }, ANONYMOUS);

export const verifyEmail = (client: Client, body: VerifyBody) =>
  client.post<SessionAnswer>('/api/users/verify-email/', body, ANONYMOUS);

export const login = (client: Client, body: LoginBody) =>
  client.post<LoginAnswer>(`${AUTH}login/`, body, ANONYMOUS);

export const loginWith = (client: Client, id: ProviderId, body: ProofBody) =>
  client.post<SessionAnswer>(`${AUTH}${id}/callback/`, body, ANONYMOUS);

/**
 * Links a provider (ACC-50). 400: the code is bad, or another player has this identity. 403: the
 * sign-in is more than an hour old.
 */
export const linkProvider = (client: Client, id: ProviderId, body: ProofBody) =>
  client.post<void>(`/api/users/${id}/`, body);

export const requestPasswordReset = (client: Client, email: string) =>
  client.post<DetailAnswer>(`${AUTH}request-password-reset/`, { email });

export const resetPassword = (client: Client, body: ResetBody) =>
  client.post<SessionAnswer>(`${AUTH}reset-password/`, body);

/** A session's tokens, for calls that do not use the stored session. */
type SessionTokens = { refresh: string; bearer: string | null };

/** Exchanges a refresh token for new tokens (API-12, P3) within `timeoutMs`. */
export async function refreshTokens(
  edge: Edge,
  { refresh, bearer }: SessionTokens,
  timeoutMs?: number,
): Promise<RefreshAnswer> {
  const body = { refresh, rotate: true };
  const response = await send(edge, 'POST', `${AUTH}token/refresh/`, { body, bearer, timeoutMs });
  return (await read(response)) as RefreshAnswer;
}

/** Revokes a refresh token's session. Ignores an error response; throws CannotReach. */
export async function logout(edge: Edge, { refresh, bearer }: SessionTokens): Promise<void> {
  await send(edge, 'POST', `${AUTH}logout/`, { body: { refresh }, bearer });
}

export const getProfile = (client: Client, signal?: AbortSignal) =>
  client.get<User>(PROFILE, signal);

export const patchProfile = (client: Client, patch: ProfilePatch) =>
  client.patch<User>(PROFILE, patch);

/** Deletes the account. Without `password` the server requires a recent sign-in (ACC-28). */
export const deleteProfile = (client: Client, password?: string) =>
  client.delete<void>(PROFILE, password === undefined ? undefined : { password });

export const replaceCode = (client: Client) => client.post<NewCodeAnswer>(`${PROFILE}new-code/`);
