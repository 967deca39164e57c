import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';

export type WonAchievement = Achievement & Pick<UserAchievement, 'unlocked_at'>;

function nearness({ progress }: Achievement): number {
  return progress === null ? -1 : progress.have / progress.need;
}

export function sortAchievements(
  all: readonly Achievement[],
  won: readonly UserAchievement[],
): { won: WonAchievement[]; open: Achievement[] } {
  const byKey = new Map(all.map((one) => [one.key, one]));
  const keys = new Set(won.map(({ key }) => key));
  return {
    won: won.flatMap(({ key, unlocked_at }) => {
      const achievement = byKey.get(key);
      return achievement === undefined ? [] : { ...achievement, unlocked_at };
    }),
    open: all
      .filter(({ key }) => !keys.has(key))
      .sort((one, other) => nearness(other) - nearness(one)),
  };
}
