import { z } from 'zod';
import { named } from './leagues.ts';

/** How a league takes players: not at all, when staff say yes, or anybody with a code (LEAGUE-12). */
export const joining = z.enum(['closed', 'ask', 'open']);
export type Joining = z.infer<typeof joining>;

export const codeParams = z.object({ code: z.string().max(64) });

/** GET /api/teams/join/{code}/ */
export const joinPage = z.object({
  team: z.string(),
  league: z.string(),
  joining,
  /** All null when the caller may not see who it is (P68). */
  members: z.array(named),
  /** The number of players on the team, and the maximum. */
  size: z.number().int(),
  max: z.number().int(),
  /** Of the caller; `none` for a visitor. */
  mine: z.enum(['none', 'asked', 'member']),
  /** When the caller asked, if `mine` is `asked`. */
  asked_at: z.string().nullable(),
  /** The other team that the caller is on, or has asked to join. */
  other_team: z.string().nullable(),
  other_request: z.string().nullable(),
  /** The current week, 0 before the league begins, and how many weeks are scheduled. */
  week: z.number().int(),
  weeks: z.number().int(),
  /** The team's place in the season; null before its first week closes. */
  place: z.number().int().nullable(),
  /** The last day of the season, `YYYY-MM-DD`; null without a schedule and after its end. */
  season_ends_on: z.string().nullable(),
});
/** POST /api/teams/join/{code}/ */
export const joinAnswer = z.object({ state: z.enum(['joined', 'asked']) });
/** GET /api/teams/request/: the team that the caller has asked to join. */
export const requestAnswer = z.object({
  request: z.object({ team: z.string(), league: z.string(), asked_at: z.string() }).nullable(),
});

export type JoinPage = z.infer<typeof joinPage>;
export type JoinAnswer = z.infer<typeof joinAnswer>;
export type RequestAnswer = z.infer<typeof requestAnswer>;
