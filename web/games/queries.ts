import { useInfiniteQuery } from '@tanstack/react-query';
import { getGames } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The player's games, page by page, newest first. */
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
