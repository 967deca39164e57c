import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LeaderboardAnswer } from '#contract/wire/leaderboards.ts';
import { getLeaderboard } from '../api/calls.ts';
import { noneOn400 } from '../api/client.ts';
import { KEYS } from '../api/queries.ts';
import { retries, untilMoment } from '../api/query-client.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import type { Choice } from './board.ts';

export type Board = LeaderboardAnswer & { choice: Choice };

export function useBoard({ scope, period }: Choice, enabled: boolean) {
  const { api } = useAuth();
  const [retry] = useState(retries);
  return useQuery({
    queryKey: [...KEYS.leaderboard, scope, period],
    queryFn: async ({ signal }): Promise<Board | null> => {
      const answer = await retry.count(
        getLeaderboard(api, { scope, period }, signal).catch((error: unknown) => {
          if (scope === 'all') throw error;
          return noneOn400(error);
        }),
        signal,
      );
      return answer && { ...answer, choice: { scope, period } };
    },
    enabled,
    // The server emits no event when a week ends.
    refetchInterval: ({ state }) =>
      state.status === 'error' ? retry.waitMs() : untilMoment(state.data?.week_closes_at),
    meta: {
      failure: 'The leaderboard could not be read.',
      movedBy: ['game', 'profile', 'league', 'friend'],
    },
  });
}
