import { z } from 'zod';

/* A device to be paired shows `code` and keeps `secret` (P66, P114). */

export const pairAnswer = z.object({
  code: z.string().meta({ example: 'H7KQ4T' }),
  secret: z.string(),
  expires_at: z.string(),
});
export const claimBody = z.object({ secret: z.string().min(1).max(200) });

export type PairAnswer = z.infer<typeof pairAnswer>;
