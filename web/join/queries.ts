import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getJoinPage, joinTeam } from '../api/calls.ts';
import { noneOn404 } from '../api/client.ts';
import { withdrawTeamRequest } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { retries, untilMoment } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The join page of a team's code; its data is null when no team has the code (PROD-94). */
export function useJoinPage(code: string) {
  const { api } = useAuth();
  const [retry] = useState(retries);
  return useQuery({
    queryKey: [...KEYS.join, code],
    queryFn: ({ signal }) => retry.count(getJoinPage(api, code, signal).catch(noneOn404), signal),
    enabled: code !== '',
    // The server emits no event when a week ends.
    refetchInterval: ({ state }) =>
      state.status === 'error' && state.data
        ? retry.waitMs()
        : untilMoment(state.data?.week_closes_at),
    meta: { failure: 'The team could not be read.', movedBy: ['profile', 'league'] },
  });
}

/**
 * `join` joins or asks to join; `withdraw` takes the request back. Both read the page again, even
 * after a refusal.
 */
export function useJoining(code: string) {
  const { api, readProfile } = useAuth();
  const client = useQueryClient();
  const onSettled = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: KEYS.join }),
      // The stored user has the team too.
      readProfile().catch(() => {}),
    ]);
  };
  const join = useMutation({
    mutationFn: () => joinTeam(api, code),
    onSettled,
    meta: { failure: 'The team was not joined.' },
  });
  const withdraw = useMutation({
    mutationFn: () => withdrawTeamRequest(api),
    onMutate: () => join.reset(),
    onSettled,
    meta: { failure: 'The request was not taken back.' },
  });
  return { join, withdraw };
}
