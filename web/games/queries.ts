import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReportBody } from '#contract/wire/games.ts';
import { getFigures, reportGame, withdrawReport } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The player's basketball figures (HAND-84). */
export function useFigures() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.figures,
    queryFn: ({ signal }) => getFigures(api, signal),
    meta: { failure: 'The figures could not be read.', movedBy: ['game'] },
  });
}

/** Sends or withdraws a game's report, then reads the games again (GAME-11). */
export function useReport(game: string) {
  const { api } = useAuth();
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: KEYS.games });
  return {
    send: useMutation({
      mutationFn: (body: ReportBody) => reportGame(api, game, body),
      onSuccess,
      meta: { failure: 'The game was not reported.' },
    }),
    withdraw: useMutation({
      mutationFn: () => withdrawReport(api, game),
      onSuccess,
      meta: { failure: 'The report was not taken back.' },
    }),
  };
}
