import { z } from 'zod';

export const achievementKey = z.string().meta({ example: 'first-game' });

/** `icon`: a symbol's id in the sprite (GAME-09). */
export const achievement = z.object({
  key: achievementKey,
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  /** How hard it is to win, 1 to 3; the badge's shape shows it (HAND-95). */
  rank: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** 0 ≤ `have` ≤ `need`; null if there is nothing to count. */
  progress: z.object({ have: z.number().int(), need: z.number().int() }).nullable(),
});

/** GET /api/achievements/ */
export const achievementsAnswer = z.array(achievement);

export const userAchievement = z.object({
  key: achievementKey,
  unlocked_at: z.string(),
  game: z.string(),
});

/** GET /api/achievements/user_achievements/ */
export const userAchievementsAnswer = z.array(userAchievement);

export const achievementCalls = {
  'GET /api/achievements/': { answer: achievementsAnswer },
  'GET /api/achievements/user_achievements/': { answer: userAchievementsAnswer },
};

export type Achievement = z.infer<typeof achievement>;
export type UserAchievement = z.infer<typeof userAchievement>;
