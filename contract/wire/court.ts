import { z } from 'zod';
import { achievement } from './achievements.ts';
import { greetingAnswer } from './machines.ts';

/** GET /dev/court/setup/ */
export const courtSetup = z.object({
  machine: z.string(),
  /** The players, with the demo account first. */
  players: z.array(
    greetingAnswer
      .pick({ username: true, avatar_color: true, jersey_number: true, team: true })
      .extend({ uuid: z.string(), demo_account: z.boolean() }),
  ),
  /** The names of all achievements, because the machine API answers with keys only. */
  achievements: z.array(achievement.pick({ key: true, name: true })),
});

/** POST /dev/court/key/ */
export const courtKey = z.object({ key: z.string() });

export const courtCalls = {
  'GET /dev/court/setup/': { answer: courtSetup },
  'POST /dev/court/key/': { answer: courtKey },
};

export type CourtSetup = z.infer<typeof courtSetup>;
