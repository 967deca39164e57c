import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInSession } from '#contract/wire/accounts.ts';
import { endOtherSessions, endSession, getSessions } from '../api/calls.ts';
import { KEYS, userAchievements } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

export function useSessions() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.sessions,
    queryFn: async ({ signal }) => {
      const { results } = await getSessions(api, signal);
      return results.toSorted((one, other) => Number(other.current) - Number(one.current));
    },
    meta: { failure: 'The sessions could not be read.' },
  });
}

export function useEndSessions() {
  const { api } = useAuth();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (one: SignedInSession | 'others') =>
      one === 'others' ? endOtherSessions(api) : endSession(api, one.id),
    // Cancel a pending read, which would list the ended sessions again.
    onMutate: () => client.cancelQueries({ queryKey: KEYS.sessions }),
    onSuccess: (_, one) =>
      client.setQueryData<SignedInSession[]>(KEYS.sessions, (listed) =>
        listed?.filter(({ id, current }) => (one === 'others' ? current : id !== one.id)),
      ),
    meta: { failure: 'The sessions were not ended.' },
  });
}

/** The number of achievements won; undefined until it is known. */
export function useWonCount(): number | undefined {
  const { api } = useAuth();
  return useQuery(userAchievements(api)).data?.length;
}
