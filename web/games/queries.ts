import { useInfiniteQuery } from '@tanstack/react-query';
import type { GamesAnswer } from '#contract/games.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** The player's games, a page at a time, the newest first. */
export function useGames() {
  const { api } = useAuth();
  return useInfiniteQuery({
    queryKey: ['games'],
    queryFn: ({ pageParam, signal }) =>
      api.get<GamesAnswer>(
        pageParam === null
          ? '/api/users/profile/games/'
          : `/api/users/profile/games/?cursor=${encodeURIComponent(pageParam)}`,
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: { failure: 'The games could not be read.', movedBy: ['game'] },
  });
}
