import { queryOptions } from '@tanstack/react-query';
import type { Client } from './client.ts';
import { getUserAchievements } from './profile-calls.ts';

export const KEYS = {
  profile: ['profile'],
  leagueStats: ['league-stats'],
  lastWeek: ['last-week'],
  league: ['league'],
  team: ['team'],
  seasons: ['seasons'],
  weekPicture: ['week-picture'],
  asks: ['asks'],
  games: ['games'],
  figures: ['figures'],
  leaderboard: ['leaderboard'],
  achievements: ['achievements'],
  achievementsPage: ['achievements-page'],
  userAchievements: ['user-achievements'],
  sessions: ['sessions'],
  join: ['join'],
  teamRequest: ['team-request'],
  contest: ['contest'],
  cup: ['cup'],
  running: ['running'],
  push: ['push'],
  friends: ['friends'],
  friendCode: ['friend-code'],
  friendAsked: ['friend-asked'],
  friendOpened: ['friend-opened'],
  blocked: ['blocked'],
  duels: ['duels'],
  duelPartners: ['duel-partners'],
} as const;

export const userAchievements = (client: Client) =>
  queryOptions({
    queryKey: KEYS.userAchievements,
    queryFn: ({ signal }) => getUserAchievements(client, signal),
    meta: { failure: 'The won achievements could not be read.', movedBy: ['game'] },
  });
