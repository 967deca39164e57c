import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SessionsAnswer, SignedInSession } from '#contract/accounts.ts';
import type { UserAchievement } from '#contract/achievements.ts';
import { useAuth } from '../session/AuthProvider.tsx';

const SESSIONS = ['sessions'];
const SESSIONS_PATH = '/api/users/sessions/';

/** Where the player is signed in, this device first. */
export function useSessions() {
  const { api } = useAuth();
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => {
      const { results } = await api.get<SessionsAnswer>(SESSIONS_PATH, signal);
      return results.toSorted((one, other) => Number(other.current) - Number(one.current));
    },
    meta: { failure: 'The sessions could not be read.' },
  });
}

/** Ends sessions of other devices: the one that is given, or all of them. */
export function useEndSessions() {
  const { api } = useAuth();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (one: SignedInSession | 'others') =>
      api.delete(one === 'others' ? SESSIONS_PATH : `${SESSIONS_PATH}${one.id}/`),
    // A read that was on its way would bring them back.
    onMutate: () => client.cancelQueries({ queryKey: SESSIONS }),
    onSuccess: (_, one) =>
      client.setQueryData<SignedInSession[]>(SESSIONS, (listed) =>
        listed?.filter(({ id, current }) => (one === 'others' ? current : id !== one.id)),
      ),
    meta: { failure: 'The sessions were not ended.' },
  });
}

/** How many achievements the player has won; undefined while that is not known. */
export function useWonCount(): number | undefined {
  const { api } = useAuth();
  const won = useQuery({
    queryKey: ['user-achievements'],
    queryFn: ({ signal }) =>
      api.get<UserAchievement[]>('/api/achievements/user_achievements/', signal),
    meta: { failure: 'The won achievements could not be read.' },
  });
  return won.data?.length;
}
