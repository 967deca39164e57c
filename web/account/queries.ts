import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInSession } from '#contract/accounts.ts';
import { endOtherSessions, endSession, getSessions, getUserAchievements } from '../api/calls.ts';
import { useAuth } from '../session/AuthProvider.tsx';

const SESSIONS = ['sessions'];

/** Where the player is signed in, this device first. */
export function useSessions() {
  const { api } = useAuth();
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => {
      const { results } = await getSessions(api, signal);
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
      one === 'others' ? endOtherSessions(api) : endSession(api, one.id),
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
    queryFn: ({ signal }) => getUserAchievements(api, signal),
    meta: { failure: 'The won achievements could not be read.' },
  });
  return won.data?.length;
}
