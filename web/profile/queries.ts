import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/profile.ts';
import { getAchievements, getLastWeek, getLeagueStats } from '../api/calls.ts';
import { noneOn400 } from '../api/client.ts';
import { KEYS, userAchievements } from '../api/queries.ts';
import { untilMoment } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The team's week. It comes from the cache first. null without a team (LEAGUE-10). */
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
    initialDataUpdatedAt: () => cache.getLeagueStats()?.at,
    enabled,
    // Refetch when a week ends, because the server emits no event then.
    refetchInterval: ({ state }) => untilMoment(state.data?.week_closes_at),
    meta: {
      failure: 'The league stats could not be read.',
      movedBy: ['game', 'profile', 'league'],
    },
  });
}

/** The last closed week, read once per visit; null without a team (LEAGUE-10). */
export function useLastWeek() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.lastWeek,
    queryFn: ({ signal }) => getLastWeek(api, signal).catch(noneOn400),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The last week could not be read.' },
  });
}

/**
 * Reads `all` achievements, and in parallel those that the player has `won` (API-17). Each is
 * undefined until it is known. `isPending` means that one of the reads has no result yet.
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

/**
 * The league mode switch, and a function that sets it. `on` changes before the server answers, and
 * changes back after a failure (PROD-35). Changes are sent one after the other.
 */
export function useLeagueMode(user: User | null) {
  const { updateProfile } = useAuth();
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: (on: boolean) => updateProfile({ league_mode_enabled: on }),
    // Cancel a pending read. Its answer would store the old mode again.
    onMutate: () => client.cancelQueries({ queryKey: KEYS.profile }),
    // If this read fails too, the page says that it is offline.
    onError: () => client.invalidateQueries({ queryKey: KEYS.profile }),
    scope: { id: 'league-mode' },
    meta: { failure: 'League mode was not changed.' },
  });
  return {
    on: toggle.isPending ? toggle.variables : (user?.league_mode_enabled ?? false),
    toggle: toggle.mutate,
  };
}

/**
 * Returns a function to call after an edit of the profile. The function refetches the team's table,
 * because the table has the player's name.
 */
export function useProfileEdited(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: KEYS.leagueStats });
}
