import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '#contract/wire/profile.ts';
import { noneOn400 } from '../api/client.ts';
import { getAsks, getLastWeek } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The last closed week, read once per visit; null if the player has no team (LEAGUE-10). */
export function useLastWeek() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.lastWeek,
    queryFn: ({ signal }) => getLastWeek(api, signal).catch(noneOn400),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The last week could not be read.' },
  });
}

/** Whether to ask about the name on screens, read once per visit (HAND-50). */
export function useWallQuestion(enabled: boolean) {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.asks,
    queryFn: ({ signal }) => getAsks(api, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'What to ask could not be read.' },
  });
}

/** `on` changes before the server answers (PROD-35). Changes are sent one after another. */
export function useLeagueMode(user: User | null) {
  const { updateProfile } = useAuth();
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: (on: boolean) => updateProfile({ league_mode_enabled: on }),
    // A pending read would store the old mode again.
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
