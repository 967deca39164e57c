import type {
  CheckEmailAnswer,
  ConfigAnswer,
  DetailAnswer,
  GoogleBody,
  LoginAnswer,
  LoginBody,
  RefreshAnswer,
  RegisterAnswer,
  RegisterBody,
  ResetBody,
  SessionAnswer,
  Tokens,
  VerifyBody,
} from '#contract/accounts.ts';
import type { NewCodeAnswer, ProfilePatch, User } from '#contract/profile.ts';
import { type Client, type Edge, read, send } from './client.ts';

// The calls that /login needs, one function for each endpoint. They are apart from calls.ts because
// /login has a budget of JavaScript (scripts/budget.ts). Each throws as described there.

const AUTH = '/api/users/auth/';
const PROFILE = '/api/users/profile/';

/** These calls never carry the access token, not even a valid one. */
const ANONYMOUS = { anonymous: true };

export const getConfig = (client: Client) => client.get<ConfigAnswer>('/api/config/');

export const checkEmail = (client: Client, email: string) =>
  client.post<CheckEmailAnswer>(`${AUTH}check-email/`, { email }, ANONYMOUS);

/** Mails a code to a new address. Today's server gives no tokens (P6). */
export const register = (client: Client, body: RegisterBody) =>
  client.post<RegisterAnswer & { tokens?: Tokens }>(`${AUTH}register/`, body, ANONYMOUS);

export const resendVerification = (client: Client, email: string) =>
  client.post<DetailAnswer>('/api/users/resend-verification/', { email }, ANONYMOUS);

export const verifyEmail = (client: Client, body: VerifyBody) =>
  client.post<SessionAnswer>('/api/users/verify-email/', body, ANONYMOUS);

export const login = (client: Client, body: LoginBody) =>
  client.post<LoginAnswer>(`${AUTH}login/`, body, ANONYMOUS);

export const loginWithGoogle = (client: Client, body: GoogleBody) =>
  client.post<SessionAnswer>(`${AUTH}google/callback/`, body, ANONYMOUS);

export const requestPasswordReset = (client: Client, email: string) =>
  client.post<DetailAnswer>(`${AUTH}request-password-reset/`, { email });

export const resetPassword = (client: Client, body: ResetBody) =>
  client.post<SessionAnswer>(`${AUTH}reset-password/`, body);

/** Which tokens a call about a session itself uses, in place of those that are stored. */
type SessionTokens = { refresh: string; bearer: string | null };

/** Exchanges a refresh token for the next one (P3). `timeoutMs` as in `send`. */
export async function refreshTokens(
  edge: Edge,
  { refresh, bearer }: SessionTokens,
  timeoutMs?: number,
): Promise<RefreshAnswer> {
  const body = { refresh, rotate: true };
  const response = await send(edge, 'POST', `${AUTH}token/refresh/`, { body, bearer, timeoutMs });
  return (await read(response)) as RefreshAnswer;
}

/** Revokes the session of a refresh token. Does not throw for an error response. */
export async function logout(edge: Edge, { refresh, bearer }: SessionTokens): Promise<void> {
  await send(edge, 'POST', `${AUTH}logout/`, { body: { refresh }, bearer });
}

export const getProfile = (client: Client, signal?: AbortSignal) =>
  client.get<User>(PROFILE, signal);

export const patchProfile = (client: Client, patch: ProfilePatch) =>
  client.patch<User>(PROFILE, patch);

/** Deletes the account, by its password or, without one, by a recent sign-in (P30e). */
export const deleteProfile = (client: Client, password?: string) =>
  client.delete<void>(PROFILE, password === undefined ? undefined : { password });

/** Replaces the player's code. */
export const replaceCode = (client: Client) => client.post<NewCodeAnswer>(`${PROFILE}new-code/`);
