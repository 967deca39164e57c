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
  SessionsAnswer,
  Tokens,
  VerifyBody,
} from '#contract/accounts.ts';
import type { Achievement, UserAchievement } from '#contract/achievements.ts';
import type { GamesAnswer } from '#contract/games.ts';
import type {
  LastWeekAnswer,
  LeaderboardAnswer,
  LeaderboardQuery,
  LeagueSeason,
  LeagueStats,
} from '#contract/leagues.ts';
import type { NewCodeAnswer, ProfilePatch, User } from '#contract/profile.ts';
import { type Client, type Edge, read, send } from './client.ts';

// One function for each endpoint that the app calls, so that a path and the type of its answer
// exist once. Each throws ApiError or CannotReach; those that take a `signal` throw its reason when
// it is aborted.

const AUTH = '/api/users/auth/';
const PROFILE = '/api/users/profile/';
const SESSIONS = '/api/users/sessions/';
const ACHIEVEMENTS = '/api/achievements/';
const LEADERBOARDS = '/api/leaderboards/';

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

/** Everything that the server stores about the player, as JSON to save (P30d). */
export const exportProfile = (client: Client) => client.get<unknown>(`${PROFILE}export/`);

/** Replaces the player's code. */
export const replaceCode = (client: Client) => client.post<NewCodeAnswer>(`${PROFILE}new-code/`);

/** A page of the player's games, newest first; the first page without a `cursor`. */
export const getGames = (client: Client, cursor: string | null, signal: AbortSignal) =>
  client.get<GamesAnswer>(
    cursor === null ? `${PROFILE}games/` : `${PROFILE}games/?cursor=${encodeURIComponent(cursor)}`,
    signal,
  );

/** The player's event stream (contract/live.ts). */
export const openEvents = (client: Client, signal: AbortSignal) =>
  client.open(`${PROFILE}events/`, signal);

export const getSessions = (client: Client, signal: AbortSignal) =>
  client.get<SessionsAnswer>(SESSIONS, signal);

export const endSession = (client: Client, id: string) => client.delete<void>(`${SESSIONS}${id}/`);

export const endOtherSessions = (client: Client) => client.delete<void>(SESSIONS);

/** Everything that can be won. */
export const getAchievements = (client: Client, signal: AbortSignal) =>
  client.get<Achievement[]>(ACHIEVEMENTS, signal);

/** What the player has won. */
export const getUserAchievements = (client: Client, signal: AbortSignal) =>
  client.get<UserAchievement[]>(`${ACHIEVEMENTS}user_achievements/`, signal);

/** 400: the player has no such board, since the team is gone or the last game had no venue. */
export const getLeaderboard = (
  client: Client,
  { scope, period }: LeaderboardQuery,
  signal: AbortSignal,
) => client.get<LeaderboardAnswer>(`${LEADERBOARDS}?scope=${scope}&period=${period}`, signal);

/** The present week of the player's team. 400: the player has no team. */
export const getLeagueStats = (client: Client, signal: AbortSignal) =>
  client.get<LeagueStats>(`${LEADERBOARDS}user-league-stats/`, signal);

/** The table and the schedule. 400: the player has no team. */
export const getLeagueSeason = (client: Client, signal: AbortSignal) =>
  client.get<LeagueSeason>(`${LEADERBOARDS}user-league-season/`, signal);

/** The last closed week. 400: the player has no team. */
export const getLastWeek = (client: Client, signal: AbortSignal) =>
  client.get<LastWeekAnswer>(`${LEADERBOARDS}user-league-last-week/`, signal);
