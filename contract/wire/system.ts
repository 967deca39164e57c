import { z } from 'zod';
import { time } from './fields.ts';

export const systemAnswer = z.object({
  version: z.string(),
  node: z.string(),
  up_since: time,
  processes: z.number().int(),
  database: z.object({
    version: z.string(),
    bytes: z.number(),
    connections: z.number().int(),
    connections_max: z.number().int(),
    schema: z.string(),
  }),
  /** Problems that somebody should fix, with the commands for it (OPS-31). */
  warnings: z.array(z.string()),
  /** null if unreadable. */
  disk: z.object({ free_bytes: z.number(), bytes: z.number() }).nullable(),
  /**
   * `kept`: there is no mail server, so mails stay in the mailbox. `waits`: the oldest waiting
   * mails.
   */
  mail: z.object({
    kept: z.boolean(),
    waiting: z.number().int(),
    waits: z.array(z.object({ since: time, tries: z.number().int() })),
  }),
  /** null without a replica; `behind_s` is null while the primary answers in its place. */
  replica: z.object({ behind_s: z.number().nullable() }).nullable(),
  backup: z.object({ at: time, bytes: z.number().nullable(), who: z.string() }).nullable(),
});

/** Long commands stream progress, then the result or the error (OPS-08). */
export const progress = z.object({
  step: z.string(),
  done: z.number().int(),
  total: z.number().int(),
});
export const stream = <T extends z.ZodType>(result: T) =>
  z.union([z.object({ progress }), z.object({ result }), z.object({ error: z.string() })]);

/** How many games and players were read, and how many rows corrected. */
export const rebuildResult = z.object({
  games: z.number().int(),
  players: z.number().int(),
  changed: z.object({
    statistics: z.number().int(),
    high_scores: z.number().int(),
    league_weeks: z.number().int(),
    achievements: z.number().int(),
  }),
});
export const rebuildLine = stream(rebuildResult);

export const demoBody = z.object({
  /** Makes the demo even if there are players. */
  beside: z.boolean().default(false),
});
export const demoResult = z.object({
  league: z.string(),
  players: z.number().int(),
  games: z.number().int(),
  email: z.string(),
  password: z.string(),
});
export const demoLine = stream(demoResult);

export const systemCalls = {
  'GET /api/operator/system/': { answer: systemAnswer },
  'POST /api/operator/rebuild/': { lines: rebuildLine },
  'POST /api/operator/demo/': { body: demoBody, lines: demoLine },
};

export type SystemAnswer = z.infer<typeof systemAnswer>;
export type Progress = z.infer<typeof progress>;
