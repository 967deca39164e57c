import { useQuery } from '@tanstack/react-query';
import { getAchievements, getUserAchievements } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** Reads all achievements, and those of the player (API-17). */
export function useAchievements() {
  const { api } = useAuth();
  return useQuery({
    queryKey: KEYS.achievementsPage,
    queryFn: async ({ signal }) => {
      const [all, won] = await Promise.all([
        getAchievements(api, signal),
        getUserAchievements(api, signal),
      ]);
      return { all, won };
    },
    meta: { failure: 'The achievements could not be read.', movedBy: ['game'] },
  });
}
