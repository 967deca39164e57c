import type { SessionsAnswer } from '#contract/wire/accounts.ts';
import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';
import type { GamesAnswer, ReportBody } from '#contract/wire/games.ts';
import type { LeaderboardAnswer, LeaderboardQuery } from '#contract/wire/leaderboards.ts';
import type { LastWeekAnswer, LeagueSeason, LeagueStats } from '#contract/wire/leagues.ts';
import type { ProviderId } from '#contract/wire/profile.ts';
import type { JoinAnswer, JoinPage, RequestAnswer } from '#contract/wire/teams.ts';
import type { Client } from './client.ts';

// Only this file and auth-calls.ts contain paths. Each function throws ApiError or CannotReach, or
// the reason of its aborted `signal`.

const PROFILE = '/api/users/profile/';
const SESSIONS = '/api/users/sessions/';
const ACHIEVEMENTS = '/api/achievements/';
const LEADERBOARDS = '/api/leaderboards/';
const TEAM_REQUEST = '/api/teams/request/';
const joinPath = (code: string) => `/api/teams/join/${encodeURIComponent(code)}/`;
const reportPath = (game: string) => `${PROFILE}games/${game}/report/`;

export const exportProfile = (client: Client) => client.get<unknown>(`${PROFILE}export/`);

/** Reads a page of games, newest first (API-15). `cursor` is null for the first page. */
export const getGames = (client: Client, cursor: string | null, signal: AbortSignal) =>
  client.get<GamesAnswer>(
    cursor === null ? `${PROFILE}games/` : `${PROFILE}games/?cursor=${encodeURIComponent(cursor)}`,
    signal,
  );

export const openEvents = (client: Client, signal: AbortSignal) =>
  client.open(`${PROFILE}events/`, signal);

export const getSessions = (client: Client, signal: AbortSignal) =>
  client.get<SessionsAnswer>(SESSIONS, signal);

export const endSession = (client: Client, id: string) => client.delete<void>(`${SESSIONS}${id}/`);

export const endOtherSessions = (client: Client) => client.delete<void>(SESSIONS);

/** Unlinks a provider (P29c). 400: the password is wrong, or the account has none. */
export const removeProvider = (client: Client, id: ProviderId, password: string) =>
  client.delete<void>(`/api/users/${id}/`, { password });

export const getAchievements = (client: Client, signal: AbortSignal) =>
  client.get<Achievement[]>(ACHIEVEMENTS, signal);

export const getUserAchievements = (client: Client, signal: AbortSignal) =>
  client.get<UserAchievement[]>(`${ACHIEVEMENTS}user_achievements/`, signal);

/**
 * Reads a board. 400: for a league, the player has no team; for a venue, the player's last game was
 * at no venue.
 */
export const getLeaderboard = (
  client: Client,
  { scope, period }: LeaderboardQuery,
  signal: AbortSignal,
) => client.get<LeaderboardAnswer>(`${LEADERBOARDS}?scope=${scope}&period=${period}`, signal);

/** The team's current week. 400: no team. */
export const getLeagueStats = (client: Client, signal: AbortSignal) =>
  client.get<LeagueStats>(`${LEADERBOARDS}user-league-stats/`, signal);

export const getLeagueSeason = (client: Client, signal: AbortSignal) =>
  client.get<LeagueSeason>(`${LEADERBOARDS}user-league-season/`, signal);

/** The last closed week. 400: no team. */
export const getLastWeek = (client: Client, signal: AbortSignal) =>
  client.get<LastWeekAnswer>(`${LEADERBOARDS}user-league-last-week/`, signal);

export const reportGame = (client: Client, game: string, body: ReportBody) =>
  client.post<void>(reportPath(game), body);

export const withdrawReport = (client: Client, game: string) =>
  client.delete<void>(reportPath(game));

/** 404: no team has this code. */
export const getJoinPage = (client: Client, code: string, signal: AbortSignal) =>
  client.get<JoinPage>(joinPath(code), signal);

/** Joins, or asks to join. 400 says why the player cannot. */
export const joinTeam = (client: Client, code: string) => client.post<JoinAnswer>(joinPath(code));

export const getTeamRequest = (client: Client, signal: AbortSignal) =>
  client.get<RequestAnswer>(TEAM_REQUEST, signal);

export const withdrawTeamRequest = (client: Client) => client.delete<void>(TEAM_REQUEST);
