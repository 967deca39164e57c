import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/profile.ts';
import { getAchievements, getLastWeek, getLeagueStats } from '../api/calls.ts';
import { noneOn400 } from '../api/client.ts';
import { KEYS, userAchievements } from '../api/queries.ts';
import { untilMoment } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/**
 * The team's week; `null` when the server says that there is none (400, spec 7). What was last
 * known is there at once.
 */
export function useLeagueStats(enabled: boolean) {
  const { api, remembered } = useAuth();
  return useQuery({
    queryKey: KEYS.leagueStats,
    queryFn: async ({ signal }) => {
      const stats = await getLeagueStats(api, signal).catch(noneOn400);
      remembered.rememberLeagueStats(stats);
      return stats;
    },
    initialData: () => remembered.getLeagueStats()?.value,
    initialDataUpdatedAt: () => remembered.getLeagueStats()?.at,
    enabled,
    // No event tells that a week has closed.
    refetchInterval: ({ state }) => untilMoment(state.data?.week_closes_at),
    meta: {
      failure: 'The league stats could not be read.',
      movedBy: ['game', 'profile', 'league'],
    },
  });
}

/** The last closed week, read once a visit; null without a team (400, contract 1). */
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
 * Fetches both lists of achievements at once (spec 7): what can be won, and what has been won,
 * each undefined until it is there; `isPending` until both have been answered for, or have failed.
 */
export function useWonAchievements() {
  const { api } = useAuth();
  const all = useQuery({
    queryKey: KEYS.achievements,
    queryFn: ({ signal }) => getAchievements(api, signal),
    // What can be won changes only with a new version of the app.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The achievements could not be read.' },
  });
  const won = useQuery(userAchievements(api));
  return { all: all.data, won: won.data, isPending: all.isPending || won.isPending };
}

/**
 * League mode as the switch shows it: at once what was asked for, and what the profile says again
 * when that fails. Toggles in quick succession are sent one after the other.
 */
export function useLeagueMode(user: User | null) {
  const { updateProfile } = useAuth();
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: (on: boolean) => updateProfile({ league_mode_enabled: on }),
    // A read that was on its way would bring the old mode back.
    onMutate: () => client.cancelQueries({ queryKey: KEYS.profile }),
    // Whether the server can be reached at all is what the profile's next read tells.
    onError: () => client.invalidateQueries({ queryKey: KEYS.profile }),
    scope: { id: 'league-mode' },
    meta: { failure: 'League mode was not changed.' },
  });
  return {
    on: toggle.isPending ? toggle.variables : (user?.league_mode_enabled ?? false),
    toggle: toggle.mutate,
  };
}

/** Tells the team's table that the player's name may be a new one. */
export function useProfileEdited(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: KEYS.leagueStats });
}
