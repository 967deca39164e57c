import { z } from 'zod';
import { SEARCH_LEAST } from '../rules/players.ts';
import { id, tidy } from './fields.ts';

/** What a search finds, in the order of its answer (HAND-C12). */
export const FOUND_KINDS = ['player', 'team', 'machine', 'league', 'screen'] as const;

export const searchBody = z.object({
  text: z
    .string()
    .overwrite(tidy)
    .min(SEARCH_LEAST, `Type at least ${SEARCH_LEAST} characters.`)
    .max(254, 'Type at most 254 characters.'),
});
export const searchAnswer = z.object({
  results: z.array(
    z.object({
      kind: z.enum(FOUND_KINDS),
      id,
      /** null for a player who has not chosen a username. */
      name: z.string().nullable(),
      /**
       * The player's team, the team's league, or the venue of anything else; null if there is none.
       */
      about: z.string().nullable(),
    }),
  ),
});

export const searchCalls = {
  'POST /api/operator/search/': { body: searchBody, answer: searchAnswer },
};

export type Found = z.infer<typeof searchAnswer>['results'][number];
