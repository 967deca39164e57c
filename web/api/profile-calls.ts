import type { Client } from './client.ts';

// What the profile and the shell around every page call; calls.ts has the rest.

export const PROFILE = '/api/users/profile/';
export const LEADERBOARDS = '/api/leaderboards/';
export const DUELS = '/api/users/duels/';
export const PUSH = '/api/users/push/';
const ACHIEVEMENTS = '/api/achievements/';
const NUDGES = '/api/users/nudges/';
const TEAM_REQUEST = '/api/teams/request/';

/** Reads a page of games, newest first (API-15). `cursor` is null for the first page. */
export const getGames = (client: Client, cursor: string | null, signal: AbortSignal) =>
  client.get(
    cursor === null ? `${PROFILE}games/` : `${PROFILE}games/?cursor=${encodeURIComponent(cursor)}`,
    signal,
  );

export const getAsks = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}asks/`, signal);

/** Reads the switches, the devices, and whether the app may ask. */
export const getPush = (client: Client, signal?: AbortSignal) => client.get(PUSH, signal);

export const openEvents = (client: Client, signal: AbortSignal) =>
  client.open(`${PROFILE}events/`, signal);

export const getAchievements = (client: Client, signal: AbortSignal) =>
  client.get(ACHIEVEMENTS, signal);

export const getUserAchievements = (client: Client, signal: AbortSignal) =>
  client.get(`${ACHIEVEMENTS}user_achievements/`, signal);

/** The team's current week. 400: no team. */
export const getLeagueStats = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-stats/`, signal);

/** The last closed week. 400: no team. */
export const getLastWeek = (client: Client, signal: AbortSignal) =>
  client.get(`${LEADERBOARDS}user-league-last-week/`, signal);

export const getRunning = (client: Client, signal: AbortSignal) =>
  client.get(`${PROFILE}running/`, signal);

export const getTeamRequest = (client: Client, signal: AbortSignal) =>
  client.get(TEAM_REQUEST, signal);

export const withdrawTeamRequest = (client: Client) => client.delete(TEAM_REQUEST);

/** Reads the duels with a page of decided ones. `cursor` is null for the first page. */
export const getDuels = (client: Client, cursor: string | null, signal: AbortSignal) =>
  client.get(cursor === null ? DUELS : `${DUELS}?cursor=${encodeURIComponent(cursor)}`, signal);

/** 400: nobody of this name can be nudged now. */
export const nudgeMate = (client: Client, username: string) => client.post(NUDGES, { username });
