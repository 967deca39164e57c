import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { noneOn400 } from '../api/client.ts';
import {
  getAchievements,
  getDuels,
  getGames,
  getLeagueStats,
  getTeamRequest,
  withdrawTeamRequest,
} from '../api/profile-calls.ts';
import { KEYS, userAchievements } from '../api/queries.ts';
import { untilMoment } from '../api/query-client.ts';
import { useAuth } from './AuthProvider.tsx';

/** The reads that several pages share. */

/** The team's week, from the cache first; null if the player has no team (LEAGUE-10). */
export function useLeagueStats(enabled: boolean) {
  const { api, cache } = useAuth();
  return useQuery({
    queryKey: KEYS.leagueStats,
    queryFn: async ({ signal }) => {
      const stats = await getLeagueStats(api, signal).catch(noneOn400);
      cache.cacheLeagueStats(stats);
      return stats;
    },
    initialData: () => cache.getLeagueStats()?.value,
    initialDataUpdatedAt: 0,
    enabled,
    // The server emits no event when a week ends.
    refetchInterval: ({ state }) => untilMoment(state.data?.week_closes_at),
    meta: {
      failure: 'The league stats could not be read.',
      movedBy: ['game', 'profile', 'league'],
    },
  });
}

/** The team that the player has asked to join (PROD-99), and `withdraw`, which ends the request. */
export function useTeamRequest() {
  const { api } = useAuth();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: KEYS.teamRequest,
    queryFn: ({ signal }) => getTeamRequest(api, signal),
    meta: { failure: 'The request to join a team could not be read.', movedBy: ['profile'] },
  });
  const withdraw = useMutation({
    mutationFn: () => withdrawTeamRequest(api),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.teamRequest }),
    meta: { failure: 'The request was not taken back.' },
  });
  return { request: data?.request ?? null, withdraw };
}

/** The player's games, newest first, page by page (API-15). */
export function useGames() {
  const { api } = useAuth();
  return useInfiniteQuery({
    queryKey: KEYS.games,
    queryFn: ({ pageParam, signal }) => getGames(api, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: { failure: 'The games could not be read.', movedBy: ['game'] },
  });
}

/**
 * Reads `all` achievements, and those that the player has `won` (API-17), each undefined until
 * known. `isPending` means that one of them has no result yet.
 */
export function useWonAchievements() {
  const { api } = useAuth();
  const all = useQuery({
    queryKey: KEYS.achievements,
    queryFn: ({ signal }) => getAchievements(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The achievements could not be read.' },
  });
  const won = useQuery(userAchievements(api));
  return { all: all.data, won: won.data, isPending: all.isPending || won.isPending };
}

/** The player's duels, and the pages of decided ones that were requested so far. */
export function useDuels() {
  const { api } = useAuth();
  return useInfiniteQuery({
    queryKey: KEYS.duels,
    queryFn: ({ signal, pageParam }) => getDuels(api, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: { failure: 'The duels could not be read.', movedBy: ['duel'] },
  });
}
