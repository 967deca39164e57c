import { z } from 'zod';

export const nudgeCalls = {
  /** The answer is the same whether the player takes nudges or not (NUDGE-05). */
  'POST /api/users/nudges/': {
    body: z.object({ username: z.string().max(100) }),
    answer: z.object({ state: z.literal('sent') }),
  },
};
