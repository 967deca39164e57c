import { z } from 'zod';
import { achievement } from './achievements.ts';
import { greetingAnswer } from './machines.ts';

/** GET /dev/court/setup/: what the page needs before its machine makes a call. */
export const courtSetup = z.object({
  /** The name of the court's machine. */
  machine: z.string(),
  /** The players of the demo league, the demo account first. */
  players: z.array(
    greetingAnswer
      .pick({ username: true, avatar_color: true, jersey_number: true, team: true })
      .extend({ uuid: z.string(), demo_account: z.boolean() }),
  ),
  /** The names of achievements, because the machine API answers with keys only. */
  achievements: z.array(achievement.pick({ key: true, name: true })),
});

/** POST /dev/court/key/: a new key of the court's machine. */
export const courtKey = z.object({ key: z.string() });

export type CourtSetup = z.infer<typeof courtSetup>;
