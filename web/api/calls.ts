import type { ReportBody } from '#contract/wire/games.ts';
import type { LeaderboardQuery } from '#contract/wire/leaderboards.ts';
import type { ProviderId, WallAnswer } from '#contract/wire/profile.ts';
import type { Client } from './client.ts';

// Only this file and auth-calls.ts contain paths. Each function throws ApiError or CannotReach, or
// the reason of its aborted `signal`.

const PROFILE = '/api/users/profile/';
const SESSIONS = '/api/users/sessions/';
const ACHIEVEMENTS = '/api/achievements/';
const LEADERBOARDS = '/api/leaderboards/';
const TEAM_REQUEST = '/api/teams/request/';
const joinPath = (code: string) => `/api/teams/join/${encodeURIComponent(code)}/` as const;
const reportPath = (game: string) => `${PROFILE}games/${game}/report/` as const;

export const exportProfile = (client: Client) => client.get(`${PROFILE}export/`);

/** Reads a page of games, newest first (API-15). `cursor` is null for the first page. */
export const getGames = (client: Client, cursor: string | null, signal: AbortSignal) =>
  client.get(
    cursor === null ? `${PROFILE}games/` : `${PROFILE}games/?cursor=${encodeURIComponent(cursor)}`,
    signal,
  );

export const getFigures = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}figures/`, signal);

export const getAsks = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}asks/`, signal);

export const answerWall = (client: Client, wall: WallAnswer) =>
  client.post(`${PROFILE}asks/`, { wall });

export const openEvents = (client: Client, signal: AbortSignal) =>
  client.open(`${PROFILE}events/`, signal);

export const getSessions = (client: Client, signal: AbortSignal) => client.get(SESSIONS, signal);

export const endSession = (client: Client, id: string) => client.delete(`${SESSIONS}${id}/`);

export const endOtherSessions = (client: Client) => client.delete(SESSIONS);

/** Unlinks a provider (P29c). 400: the password is wrong, or the account has none. */
export const removeProvider = (client: Client, id: ProviderId, password: string) =>
  client.delete(`/api/users/${id}/`, { password });

export const getAchievements = (client: Client, signal: AbortSignal) =>
  client.get(ACHIEVEMENTS, signal);

export const getUserAchievements = (client: Client, signal: AbortSignal) =>
  client.get(`${ACHIEVEMENTS}user_achievements/`, signal);

/**
 * Reads a board. 400: for a league, the player has no team; for a venue, the player's last game was
 * at no venue.
 */
export const getLeaderboard = (
  client: Client,
  { scope, period }: LeaderboardQuery,
  signal: AbortSignal,
) => client.get(`${LEADERBOARDS}?scope=${scope}&period=${period}`, signal);

/** The team's current week. 400: no team. */
export const getLeagueStats = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-stats/`, signal);

export const getLeagueSeason = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-season/`, signal);

/** The last closed week. 400: no team. */
export const getLastWeek = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-last-week/`, signal);

/** The player's seasons: running ones first, then the newest. */
export const getSeasons = (client: Client, signal: AbortSignal) =>
  client.get('/api/seasons/', signal);

/** A season's page. 404: the player has no part in it. */
export const getSeason = (client: Client, id: string, signal: AbortSignal) =>
  client.get(`/api/seasons/${id}/`, signal);

export const reportGame = (client: Client, game: string, body: ReportBody) =>
  client.post(reportPath(game), body);

export const withdrawReport = (client: Client, game: string) => client.delete(reportPath(game));

/** 404: no team has this code. */
export const getJoinPage = (client: Client, code: string, signal: AbortSignal) =>
  client.get(joinPath(code), signal);

/** Joins, or asks to join. 400 says why the player cannot. */
export const joinTeam = (client: Client, code: string) => client.post(joinPath(code));

/** 404: no such cup, or not the player's to see. */
export const getCup = (client: Client, id: string, signal: AbortSignal) =>
  client.get(`/api/cups/${id}/`, signal);

export const leaveCup = (client: Client, id: string) => client.post(`/api/cups/${id}/leave/`);

/** 404: no contest has this code. */
export const getContest = (client: Client, code: string, signal: AbortSignal) =>
  client.get(`/api/contests/${encodeURIComponent(code)}/`, signal);

export const getRunning = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}running/`, signal);

export const getTeamRequest = (client: Client, signal: AbortSignal) =>
  client.get(TEAM_REQUEST, signal);

export const withdrawTeamRequest = (client: Client) => client.delete(TEAM_REQUEST);
