import { z } from 'zod';
import { AWARDS } from '../rules/awards.ts';
import { PAUSES_MAX, REASON_MAX } from '../rules/leagues.ts';
import { day, id, name, plain, ref } from './fields.ts';
import {
  bestGame,
  named,
  ruling,
  scheduleWeek,
  seasonState,
  standing,
  tableNote,
  tieBreak,
} from './leagues.ts';

export const SEASON_NAME_MAX = 40;
export const GRACE_HOURS = 72;
export const GRACE_HOURS_MAX = 336;

export const seasonEnds = z.enum(['schedule', 'open']);
const reason = plain(REASON_MAX, 'A reason');

export const awardKey = z.enum(AWARDS);
/** An award as the caller may see it (AWARD-09). `winners` is empty for an award of teams. */
export const award = z.object({
  key: awardKey,
  value: z.number(),
  /** null if the team's name would reveal a hidden player. */
  team: z.string().nullable(),
  week: z.number().int().nullable(),
  winners: z.array(z.object({ ...named.shape, mine: z.boolean() })),
  /** How many more winners share the award. */
  more: z.number().int(),
});

/** GET /api/seasons/ (SEASON-41) */
export const ownSeason = z.object({
  id,
  league: z.string(),
  name: z.string(),
  state: seasonState,
  starts_on: z.string(),
  ends_on: z.string().nullable(),
  team: z.string(),
  /** null before a week has ended, and for a team that withdrew. */
  place: z.number().int().nullable(),
  teams: z.number().int(),
  games: z.number().int(),
  average: z.number(),
  best_game: z.number().int(),
  total: z.number().int(),
  /** Whether the team is a champion of a final season (SEASON-24). */
  champion: z.boolean(),
  awards: z.array(awardKey),
});
/** The season that the profile offers for SEASON_OFFERED_DAYS after it is final (SEASON-42). */
export const seasonOver = ownSeason.pick({
  id: true,
  name: true,
  place: true,
  teams: true,
  champion: true,
});
export const seasonsAnswer = z.object({ results: z.array(ownSeason) });

/** A row of a season's page; a team that withdrew has no place. */
export const seasonRow = z.object({ ...standing.shape, place: z.number().int().nullable() });

/** GET /api/seasons/{id}/ (SEASON-40) */
export const seasonPage = z.object({
  id,
  league: z.string(),
  name: z.string(),
  state: seasonState,
  starts_on: z.string(),
  ends_on: z.string().nullable(),
  settles_at: z.string().nullable(),
  tie_break: tieBreak,
  /** The version of the final table; 0 before the season is final. */
  version: z.number().int(),
  final_at: z.string().nullable(),
  champions: z.array(z.string()),
  /** The teams in first place, if a cup decides the champion. */
  won_table: z.array(z.string()),
  /** Whether that cup is over without a winner (CUP-13). */
  no_champion: z.boolean(),
  standings: z.array(seasonRow),
  rows: z.array(tableNote),
  schedule: z.array(scheduleWeek),
  best_games: z.array(bestGame),
  awards: z.array(award),
  corrections: z.array(
    z.object({
      version: z.number().int(),
      at: z.string(),
      reason: z.string(),
      changes: z.array(z.string()),
    }),
  ),
  mine: z.object({ team: z.string(), place: z.number().int().nullable() }).nullable(),
});
export const seasonParams = z.object({ id: z.string().regex(/^\d{1,9}$/, 'No such season.') });

// --- Staff ------------------------------------------------------------------------------------

/** A season's id, number or 'LEAGUE/NAME'. */
export const seasonRef = z.object({ season: ref });
export const leagueQuery = z.object({ league: ref });

export const seasonListed = z.object({
  id,
  league: z.string(),
  number: z.number().int(),
  name: z.string(),
  state: seasonState,
  /** The Monday of the running week, in the league's zone. */
  current_week: z.string(),
  ends: seasonEnds,
  starts_on: z.string(),
  last_week: z.string().nullable(),
  tie_break: tieBreak,
  grace_hours: z.number().int(),
  rosters_lock_week: z.string().nullable(),
  settles_at: z.string().nullable(),
  version: z.number().int(),
  /** Whether a recount would change the stored table (SEASON-25). */
  touched: z.boolean(),
  entries: z.array(
    z.object({
      team: z.string(),
      from_week: z.string(),
      to_week: z.string().nullable(),
      reason: z.string().nullable(),
      /**
       * Whether a withdrawal from this Monday or from the next one annuls all the team's matchups
       * (SEASON-35). `next`: null if the season has no later week.
       */
      annuls: z.object({ now: z.boolean(), next: z.boolean().nullable() }),
      /**
       * How many matchups the team has in the season, without byes and postponed weeks; 0 once it
       * is final.
       */
      matchups: z.number().int(),
    }),
  ),
  pauses: z.array(z.object({ week: z.string(), reason: z.string() })),
});
export const seasonsListed = z.object({ results: z.array(seasonListed) });

/** GET /api/operator/seasons/page/: a season for staff, who see every name. */
export const seasonForStaff = z.object({
  season: seasonListed,
  standings: z.array(seasonRow),
  /** A final season keeps the names of its teams: `team_id` finds a team that was renamed. */
  rows: z.array(tableNote.extend({ team_id: id })),
  schedule: z.array(scheduleWeek),
  awards: z.array(award),
  champions: seasonPage.shape.champions,
  won_table: seasonPage.shape.won_table,
  no_champion: seasonPage.shape.no_champion,
  corrections: seasonPage.shape.corrections,
  /** What keeps a season in grace open (SEASON-21). */
  open: z.object({ held: z.number().int(), complaints: z.number().int() }),
  /** What a recount would change, in words; empty if nothing (SEASON-25). */
  changes: z.array(z.string()),
});
export const seasonVersionQuery = seasonRef.extend({
  version: z.coerce.number().int().min(1).optional(),
});

export const seasonChangeBody = seasonRef.extend({
  name: name(SEASON_NAME_MAX).optional(),
  ends: seasonEnds.optional(),
  tie_break: tieBreak.optional(),
  grace_hours: z
    .number()
    .int()
    .min(0)
    .max(GRACE_HOURS_MAX, `Grace lasts at most ${GRACE_HOURS_MAX} hours.`)
    .optional(),
  /** null: rosters stay open. */
  rosters_lock_week: day.nullable().optional(),
  /** Only a planned season can change its start. */
  starts: day.optional(),
  /** Allows a start in the running week, which cannot be undone. */
  at_once: z.boolean().default(false),
});
export const seasonEndBody = leagueQuery.extend({
  /** The last week that counts: the last finished one, or the running one (SEASON-22). */
  after: z.enum(['finished', 'running']).default('finished'),
  /** Ends grace at once. */
  now: z.boolean().default(false),
});
export const seasonCorrectBody = seasonRef.extend({ reason });

export const nextSeasonBody = leagueQuery.extend({
  name: name(SEASON_NAME_MAX).optional(),
  starts: day.optional(),
  weeks: z.number().int().min(0).max(53).optional(),
  leave_out: z.array(day).max(PAUSES_MAX).default([]),
  /** The teams that go on; by default all that have not withdrawn. */
  teams: z.array(ref).max(200).optional(),
  new_teams: z.array(name(40, 'team name')).max(40).default([]),
  players: z.enum(['keep', 'leave']).default('keep'),
  codes: z.enum(['keep', 'new']).default('keep'),
  tie_break: tieBreak.optional(),
  grace_hours: seasonChangeBody.shape.grace_hours,
  joining: z.enum(['closed', 'ask', 'open']).optional(),
  at_once: seasonChangeBody.shape.at_once,
});
/** What a planned next season will do, in figures (SEASON-50). */
export const nextSeasonPreview = z.object({
  name: z.string(),
  starts_on: z.string(),
  /** Whether its first week is the running one, so that it needs `at_once`. */
  begins_at_once: z.boolean(),
  ends_on: z.string().nullable(),
  weeks: z.number().int(),
  teams: z.array(z.string()),
  new_teams: z.array(z.string()),
  left_out: z.array(z.string()),
  /** How many players stay on their teams, and how many leave them and when. */
  players_stay: z.number().int(),
  players_leave: z.number().int(),
  leave_at: z.enum(['now', 'final']).nullable(),
  new_codes: z.number().int(),
  schedule: z.array(scheduleWeek),
});

export const postponeBody = leagueQuery.extend({ week: day, reason });
export const postponeUndoBody = leagueQuery.extend({ week: day });
/** `team` meets `opponent` in the week, and their former opponents meet each other. */
export const swapBody = leagueQuery.extend({ week: day, team: ref, opponent: ref });
export const rulingBody = leagueQuery.extend({
  week: day,
  team: ref,
  ruling: z.enum([...ruling.options, 'none']),
  reason: reason.optional(),
});
export const enterBody = z.object({
  team: ref,
  /** By default, the planned season; if there is none, the running one. */
  season: ref.optional(),
  matchups: z.enum(['none', 'byes', 'replan']).default('byes'),
  from: day.optional(),
});
export const withdrawBody = z.object({
  team: ref,
  /** Required once the season has begun. */
  reason: reason.optional(),
  /** By default, the next Monday of a running season, or the first of a planned one. */
  from: day.optional(),
  /** Withdraws the team from the running week on. */
  now: z.boolean().default(false),
});
export const withdrawUndoBody = z.object({ team: ref });

/** What a change did, in words, and the season as it is now. */
export const seasonChanged = z.object({ season: seasonListed, changes: z.array(z.string()) });

export const seasonCalls = {
  'GET /api/seasons/': { answer: seasonsAnswer },
  'GET /api/seasons/:id/': { params: seasonParams, answer: seasonPage },
  'GET /api/operator/seasons/': { query: leagueQuery, answer: seasonsListed },
  'GET /api/operator/seasons/page/': { query: seasonVersionQuery, answer: seasonForStaff },
  'POST /api/operator/seasons/next/': { body: nextSeasonBody, answer: seasonChanged },
  'POST /api/operator/seasons/next/preview/': { body: nextSeasonBody, answer: nextSeasonPreview },
  'POST /api/operator/seasons/change/': { body: seasonChangeBody, answer: seasonChanged },
  'POST /api/operator/seasons/drop/': { body: seasonRef, answer: seasonsListed },
  'POST /api/operator/seasons/end/': { body: seasonEndBody, answer: seasonChanged },
  'POST /api/operator/seasons/correct/': { body: seasonCorrectBody, answer: seasonChanged },
  'POST /api/operator/seasons/leave/': { body: seasonRef, answer: seasonChanged },
  'POST /api/operator/leagues/postpone/': { body: postponeBody, answer: seasonChanged },
  'POST /api/operator/leagues/postpone/undo/': { body: postponeUndoBody, answer: seasonChanged },
  'POST /api/operator/leagues/swap/': { body: swapBody, answer: seasonChanged },
  'POST /api/operator/leagues/ruling/': { body: rulingBody, answer: seasonChanged },
  'POST /api/operator/teams/enter/': { body: enterBody, answer: seasonChanged },
  'POST /api/operator/teams/withdraw/': { body: withdrawBody, answer: seasonChanged },
  'POST /api/operator/teams/withdraw/undo/': { body: withdrawUndoBody, answer: seasonChanged },
};

export type SeasonEnds = z.infer<typeof seasonEnds>;
export type TieBreak = z.infer<typeof tieBreak>;
export type SeasonRow = z.infer<typeof seasonRow>;
export type SeasonPage = z.infer<typeof seasonPage>;
export type SeasonOver = z.infer<typeof seasonOver>;
export type OwnSeason = z.infer<typeof ownSeason>;
export type Award = z.infer<typeof award>;
export type SeasonListed = z.infer<typeof seasonListed>;
export type SeasonForStaff = z.infer<typeof seasonForStaff>;
export type NextSeasonBody = z.infer<typeof nextSeasonBody>;
export type NextSeasonPreview = z.infer<typeof nextSeasonPreview>;
export type SeasonChangeBody = z.infer<typeof seasonChangeBody>;
