import type { FriendAnswer } from '#contract/wire/friends.ts';
import type { ReportBody } from '#contract/wire/games.ts';
import type { LeaderboardQuery } from '#contract/wire/leaderboards.ts';
import type { ProviderId, WallAnswer } from '#contract/wire/profile.ts';
import type { DeviceBody, PushPatch } from '#contract/wire/push.ts';
import type { Client } from './client.ts';
import { DUELS, LEADERBOARDS, PROFILE, PUSH } from './profile-calls.ts';

// Only this file, profile-calls.ts and auth-calls.ts contain paths. Each function throws ApiError or
// CannotReach, or the reason of its aborted `signal`.

const SESSIONS = '/api/users/sessions/';
const FRIENDS = '/api/friends/';
const BLOCKS = '/api/blocks/';
const joinPath = (code: string) => `/api/teams/join/${encodeURIComponent(code)}/` as const;
const reportPath = (game: string) => `${PROFILE}games/${game}/report/` as const;

export const exportProfile = (client: Client) => client.get(`${PROFILE}export/`);

export const getFigures = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}figures/`, signal);

export const answerWall = (client: Client, wall: WallAnswer) =>
  client.post(`${PROFILE}asks/`, { wall });

export const patchPush = (client: Client, patch: PushPatch) => client.patch(PUSH, patch);

/** 400: the browser's push service is not known to the server. */
export const putPushDevice = (client: Client, device: DeviceBody) =>
  client.put(`${PUSH}device/`, device);

/** `why`: the browser's permission ended, so the device may register again by itself (PUSH-33). */
export const endPushDevice = (client: Client, id: string, why?: 'denied') =>
  client.delete(why ? `${PUSH}devices/${id}/?why=${why}` : `${PUSH}devices/${id}/`);

/** 400: no device is on. */
export const testPush = (client: Client) => client.post(`${PUSH}test/`);

export const getSessions = (client: Client, signal: AbortSignal) => client.get(SESSIONS, signal);

export const endSession = (client: Client, id: string) => client.delete(`${SESSIONS}${id}/`);

export const endOtherSessions = (client: Client) => client.delete(SESSIONS);

/** Unlinks a provider (P29c). 400: the password is wrong, or the account has none. */
export const removeProvider = (client: Client, id: ProviderId, password: string) =>
  client.delete(`/api/users/${id}/`, { password });

/**
 * Reads a board. 400: for a league, the player has no team; for a venue, the player's last game was
 * at no venue.
 */
export const getLeaderboard = (
  client: Client,
  { scope, period }: LeaderboardQuery,
  signal: AbortSignal,
) => client.get(`${LEADERBOARDS}?scope=${scope}&period=${period}`, signal);

export const getLeagueSeason = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-season/`, signal);

/** 400: no team of the player's league has this name. */
export const getTeam = (client: Client, team: string, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-team/?team=${encodeURIComponent(team)}`, signal);

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

/** 404: there is no such cup, or the player may not see it. */
export const getCup = (client: Client, id: string, signal: AbortSignal) =>
  client.get(`/api/cups/${id}/`, signal);

export const leaveCup = (client: Client, id: string) => client.post(`/api/cups/${id}/leave/`);

/** 404: no contest has this code. */
export const getContest = (client: Client, code: string, signal: AbortSignal) =>
  client.get(`/api/contests/${encodeURIComponent(code)}/`, signal);

export const getFriends = (client: Client, signal: AbortSignal) => client.get(FRIENDS, signal);

/** Makes a code to show, and ends the previous one. 400: the list of friends is full. */
export const makeFriendCode = (client: Client) => client.post(`${FRIENDS}code/`);

/** 404: there is no code, or it has ended. */
export const getFriendAsked = (client: Client, signal: AbortSignal) =>
  client.get(`${FRIENDS}code/`, signal);

export const answerFriend = (client: Client, answer: FriendAnswer) =>
  client.post(`${FRIENDS}code/answer/`, answer);

/** 400: the code does not work, for whatever reason. */
export const openFriend = (client: Client, code: string) =>
  client.post(`${FRIENDS}open/`, { code });

export const askFriend = (client: Client, code: string) => client.post(`${FRIENDS}ask/`, { code });

/** 404: no friend of the player's has this number. */
export const compareFriend = (client: Client, n: string, signal: AbortSignal) =>
  client.get(`${FRIENDS}${encodeURIComponent(n)}/`, signal);

export const removeFriend = (client: Client, n: string) => client.delete(`${FRIENDS}${n}/`);

export const blockFriend = (client: Client, n: string) => client.post(`${FRIENDS}${n}/block/`);

export const getBlocked = (client: Client, signal: AbortSignal) => client.get(BLOCKS, signal);

export const unblock = (client: Client, n: string) => client.delete(`${BLOCKS}${n}/`);

export const getDuelPartners = (client: Client, signal: AbortSignal) =>
  client.get(`${DUELS}partners/`, signal);

/** 400: no duel with this player now, or the player's own limit is reached. */
export const offerDuel = (client: Client, username: string) => client.post(DUELS, { username });

export const acceptDuel = (client: Client, id: string) => client.post(`${DUELS}${id}/accept/`);

export const declineDuel = (client: Client, id: string) => client.post(`${DUELS}${id}/decline/`);

export const takeBackDuel = (client: Client, id: string) => client.delete(`${DUELS}${id}/`);

export const blockRival = (client: Client, id: string) => client.post(`${DUELS}${id}/block/`);
