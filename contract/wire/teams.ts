import { z } from 'zod';
import { TEAM_ADD_MAX, TEAM_NAME_MAX, TEAMS_AT_ONCE } from '../rules/leagues.ts';
import { accountId, date, email, id, name, onePlayer, ref } from './fields.ts';
import { joining, leagueRef, named } from './leagues.ts';

export const codeParams = z.object({ code: z.string() });

/** GET /api/teams/join/{code}/ */
export const joinPage = z.object({
  team: z.string(),
  league: z.string(),
  joining,
  /** All null for a member whom the caller may not see (P68). */
  members: z.array(named),
  size: z.number().int(),
  max: z.number().int(),
  /** `none`: the caller is a visitor, or has neither joined nor asked. */
  mine: z.enum(['none', 'asked', 'member']),
  asked_at: z.string().nullable(),
  /** The caller's team, if it is not this one. */
  other_team: z.string().nullable(),
  /** The team that the caller asked to join, if it is not this one. */
  other_request: z.string().nullable(),
  /** 0 before the league begins. `weeks`: the number of the last scheduled week. */
  week: z.number().int(),
  weeks: z.number().int(),
  /** The place in the standings; null before a scheduled week has ended. */
  place: z.number().int().nullable(),
  /**
   * `YYYY-MM-DD`; null without a schedule, after its end, or while a season locks the teams
   * (SEASON-36).
   */
  season_ends_on: z.string().nullable(),
  /**
   * From when games count for the team; null if the running week does (SEASON-04, SEASON-32).
   * `this_season`: from a later week of the running season.
   */
  counts_from: z.enum(['next_week', 'this_season', 'next_season']).nullable(),
  /** When the league's running week ends. */
  week_closes_at: z.string(),
});

/** POST /api/teams/join/{code}/ */
export const joinAnswer = z.object({ state: z.enum(['joined', 'asked']) });

/** GET /api/teams/request/ */
export const requestAnswer = z.object({
  request: z.object({ team: z.string(), league: z.string(), asked_at: z.string() }).nullable(),
});

export const teamName = name(TEAM_NAME_MAX, 'team name');
export const teamBody = z.object({ league: ref, name: teamName });
export const teamsBody = z.object({
  league: ref,
  names: z
    .array(teamName)
    .min(1, 'Write the name of a team.')
    .max(TEAMS_AT_ONCE, `Add at most ${TEAMS_AT_ONCE} teams at once.`),
});
export const teamsQuery = z.object({ league: ref.optional() });
export const teamRow = z.object({
  id,
  name: z.string(),
  league: z.string(),
  players: z.number().int(),
});
export const teamsAnswer = z.object({ results: z.array(teamRow) });
export const teamAddBody = z
  .object({
    team: ref,
    emails: z.array(email).max(TEAM_ADD_MAX).default([]),
    usernames: z.array(z.string().trim().min(1).max(60)).max(TEAM_ADD_MAX).default([]),
    accounts: z.array(accountId).max(TEAM_ADD_MAX).default([]),
    /**
     * The id of the team on which the caller last saw the players; null if on none. 409 if a player
     * has changed team since.
     */
    from_team: z
      .string()
      .regex(/^\d{1,15}$/, 'This is not the number of a team.')
      .nullable()
      .optional(),
    /** Whether this undoes a move off the team: the players come back as they were (OPS-17). */
    undo: z.boolean().default(false),
  })
  .refine(
    ({ emails, usernames, accounts }) => emails.length + usernames.length + accounts.length > 0,
    { path: ['emails'], message: 'Name at least one player.' },
  );
/**
 * One player by address, or several by account number; all of them leave, or none. `undo`: this
 * undoes putting `accounts` on the team (OPS-17).
 */
export const teamRemoveBody = z
  .object({
    team: ref,
    email: email.optional(),
    accounts: z.array(accountId).min(1).max(TEAM_ADD_MAX).optional(),
    undo: z.boolean().default(false),
  })
  .refine(({ email, accounts }) => (email === undefined) !== (accounts === undefined), {
    path: ['email'],
    message: 'Give an address, or the numbers of accounts.',
  });
export const teamRenameBody = z.object({ team: ref, name: teamName });
export const teamRef = z.object({ team: ref });
export const teamDeletedAnswer = z.object({ team: z.string(), league: z.string() });
export const teamChangedAnswer = z.object({
  team: z.string(),
  league: z.string(),
  players: z.array(z.object({ email: z.string(), username: z.string().nullable() })),
});

/** `moved`: the players who left another team. */
export const teamAddedAnswer = teamChangedAnswer.extend({
  moved: z.array(z.object({ email: z.string(), moved_from: z.string() })),
});

/** `new: true` replaces the code (LEAGUE-13). */
export const teamCodeBody = z.object({ team: ref, new: z.boolean().default(false) });
export const teamCodeAnswer = z.object({
  team: z.string(),
  league: z.string(),
  code: z.string(),
  /** The join page. */
  url: z.string(),
  joining,
});
export const requestsAnswer = z.object({
  results: z.array(
    z.object({
      team_id: id,
      team: z.string(),
      league_id: id,
      league: z.string(),
      email: z.string(),
      username: z.string().nullable(),
      asked_at: z.string(),
    }),
  ),
});
export const requestRef = onePlayer({ team: ref });
/** `asked_at`: when the player first asked, so that the request keeps its place; by default now. */
export const requestBackBody = onePlayer({
  team: ref,
  asked_at: z.iso.datetime({ offset: true }).optional(),
});

/** `email` is masked for staff. */
export const decidedAnswer = z.object({
  team: z.string(),
  league: z.string(),
  email: z.string(),
  username: z.string().nullable(),
});

/** GET /api/operator/teams/page/ */
export const teamPage = z.object({
  id,
  name: z.string(),
  league: z.object({ id, name: z.string(), joining }),
  /** The place in the standings; null before a scheduled week has ended. */
  place: z.number().int().nullable(),
  max: z.number().int(),
  code: z.string(),
  /** The join page. */
  url: z.string(),
  /** The running week's number in its season; null if games count for no week of the team (SEASON-04). */
  week: z.number().int().nullable(),
  /** Figures for this team in `week`; 0 without a week. `address` is masked (P65). */
  players: z.array(
    named.extend({
      account: accountId,
      address: z.string(),
      league_mode_enabled: z.boolean(),
      games: z.number().int(),
      total: z.number().int(),
      /**
       * Whether the player joined by code and does not yet see names of players under age
       * (LEAGUE-23).
       */
      stranger: z.boolean(),
    }),
  ),
  requests: z.array(
    z.object({
      account: accountId,
      address: z.string(),
      username: z.string().nullable(),
      asked_at: z.string(),
      games_played: z.number().int(),
      avg_score: z.number(),
    }),
  ),
});

/** GET /api/operator/teams/poster/ */
export const teamPoster = z.object({
  id,
  team: z.string(),
  league: z.string(),
  league_id: id,
  joining,
  code: z.string(),
  url: z.string(),
  /** The venue whose staff run the league; null if no one venue does. */
  venue: z.string().nullable(),
  /** null without a schedule, or after its end. */
  season_ends_on: date.nullable(),
});
/** GET /api/operator/teams/posters/: all posters of a league (HAND-C9). */
export const teamPosters = z.object({ results: z.array(teamPoster) });

export const teamCalls = {
  'GET /api/teams/join/:code/': { params: codeParams, answer: joinPage },
  'POST /api/teams/join/:code/': { params: codeParams, answer: joinAnswer },
  'GET /api/teams/request/': { answer: requestAnswer },
  'DELETE /api/teams/request/': {},
  'GET /api/operator/teams/': { query: teamsQuery, answer: teamsAnswer },
  'POST /api/operator/teams/': { body: teamBody, created: teamRow },
  'POST /api/operator/teams/several/': { body: teamsBody, created: teamsAnswer },
  'GET /api/operator/teams/page/': { query: teamRef, answer: teamPage },
  'GET /api/operator/teams/poster/': { query: teamRef, answer: teamPoster },
  'GET /api/operator/teams/posters/': { query: leagueRef, answer: teamPosters },
  'POST /api/operator/teams/rename/': { body: teamRenameBody, answer: teamChangedAnswer },
  'POST /api/operator/teams/delete/': { body: teamRef, answer: teamDeletedAnswer },
  'POST /api/operator/teams/add/': { body: teamAddBody, answer: teamAddedAnswer },
  'POST /api/operator/teams/remove/': { body: teamRemoveBody, answer: teamChangedAnswer },
  'POST /api/operator/teams/code/': { body: teamCodeBody, answer: teamCodeAnswer },
  'GET /api/operator/teams/requests/': { query: teamsQuery, answer: requestsAnswer },
  'POST /api/operator/teams/accept/': { body: requestRef, answer: decidedAnswer },
  'POST /api/operator/teams/decline/': { body: requestRef, answer: decidedAnswer },
  'POST /api/operator/teams/reopen/': { body: requestBackBody, answer: decidedAnswer },
};

export type JoinPage = z.infer<typeof joinPage>;
export type JoinAnswer = z.infer<typeof joinAnswer>;
export type RequestAnswer = z.infer<typeof requestAnswer>;
export type JoinRequestRow = z.infer<typeof requestsAnswer>['results'][number];
export type TeamRow = z.infer<typeof teamRow>;
export type TeamPage = z.infer<typeof teamPage>;
export type TeamPoster = z.infer<typeof teamPoster>;
