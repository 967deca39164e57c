import { z } from 'zod';
import { named } from './leagues.ts';

/** Who may join with a code (LEAGUE-12). */
export const joining = z.enum(['closed', 'ask', 'open']);
export type Joining = z.infer<typeof joining>;

export const codeParams = z.object({ code: z.string().max(64) });

/** GET /api/teams/join/{code}/ */
export const joinPage = z.object({
  team: z.string(),
  league: z.string(),
  joining,
  /** All null for a member whom the caller may not see (P68). */
  members: z.array(named),
  size: z.number().int(),
  max: z.number().int(),
  /** `none`: a visitor, or a player who has neither joined nor asked. */
  mine: z.enum(['none', 'asked', 'member']),
  asked_at: z.string().nullable(),
  /** The caller's team, if it is another one. */
  other_team: z.string().nullable(),
  /** The team that the caller asked to join, if it is another one. */
  other_request: z.string().nullable(),
  /** 0 before the league begins. `weeks`: the number of the last scheduled week. */
  week: z.number().int(),
  weeks: z.number().int(),
  /** In the standings; null before a scheduled week has ended. */
  place: z.number().int().nullable(),
  /** `YYYY-MM-DD`; null without a schedule, or after its end. */
  season_ends_on: z.string().nullable(),
});
/** POST /api/teams/join/{code}/ */
export const joinAnswer = z.object({ state: z.enum(['joined', 'asked']) });
/** GET /api/teams/request/ */
export const requestAnswer = z.object({
  request: z.object({ team: z.string(), league: z.string(), asked_at: z.string() }).nullable(),
});

export type JoinPage = z.infer<typeof joinPage>;
export type JoinAnswer = z.infer<typeof joinAnswer>;
export type RequestAnswer = z.infer<typeof requestAnswer>;
