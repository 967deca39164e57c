import { useQuery } from '@tanstack/react-query';
import type { Achievement, UserAchievement } from '#contract/achievements.ts';
import { useAuth } from '../session/AuthProvider.tsx';

/** All that can be won, and what has been won, asked for at once. */
export function useAchievements() {
  const { api } = useAuth();
  return useQuery({
    queryKey: ['achievements', 'page'],
    queryFn: async ({ signal }) => {
      const [all, won] = await Promise.all([
        api.get<Achievement[]>('/api/achievements/', signal),
        api.get<UserAchievement[]>('/api/achievements/user_achievements/', signal),
      ]);
      return { all, won };
    },
    meta: { failure: 'The achievements could not be read.' },
  });
}
