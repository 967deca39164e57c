import { z } from 'zod';

/** Names an achievement for ever. */
export const achievementKey = z.string().meta({ example: 'first-game' });

/** One thing that can be won; `icon` names a symbol of the sprite (contract 4). */
export const achievement = z.object({
  key: achievementKey,
  name: z.string(),
  description: z.string(),
  icon: z.string(),
  /** How far the caller is, where there is something to count; `have` never exceeds `need`. */
  progress: z.object({ have: z.number().int(), need: z.number().int() }).nullable(),
});
/** GET /api/achievements/ */
export const achievementsAnswer = z.array(achievement);

/** What the player has won, and by which game. */
export const userAchievement = z.object({
  key: achievementKey,
  unlocked_at: z.string(),
  game: z.string(),
});
/** GET /api/achievements/user_achievements/ */
export const userAchievementsAnswer = z.array(userAchievement);

export type Achievement = z.infer<typeof achievement>;
export type UserAchievement = z.infer<typeof userAchievement>;
