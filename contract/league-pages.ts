import { z } from 'zod';
import { SEASON_WEEKS_MAX } from './league-limits.ts';
import { named, scheduleWeek, standing } from './leagues.ts';
import { accountId, leagueRow, ref, day as writtenDay } from './operator.ts';
import { joining } from './teams.ts';
import { tonightLeague } from './tonight.ts';

const id = z.string().meta({ example: '1' });
const day = z.iso.date();

/** GET /api/operator/leagues/page/ */
export const leaguePage = leagueRow.omit({ teams: true, players: true }).extend({
  /**
   * The current week; null without matchups. `held` counts this week's held games that would count
   * for a team of the league if released.
   */
  now: z
    .object({
      from: day,
      to: day,
      closes_at: z.string(),
      matchups: tonightLeague.shape.matchups,
      held: z.number().int(),
    })
    .nullable(),
  /** The number of the last scheduled week that has ended; 0 before. */
  ended: z.number().int(),
  coming: z.number().int(),
  /** The Monday of the first week without matchups, not before this week or the league's start. */
  first_free: day,
  standings: z.array(standing),
  schedule: z.array(scheduleWeek),
  teams: z.array(
    z.object({
      id,
      name: z.string(),
      waiting: z.number().int(),
      /** `id`: the account's number. */
      players: z.array(named.extend({ id, league_mode_enabled: z.boolean() })),
    }),
  ),
});

/** GET /api/operator/teams/page/ */
export const teamPage = z.object({
  id,
  name: z.string(),
  league: z.object({ id, name: z.string(), joining }),
  /** In the standings; null before a scheduled week has ended. */
  place: z.number().int().nullable(),
  max: z.number().int(),
  code: z.string(),
  /** The join page. */
  url: z.string(),
  /** This week's figures for this team. `address` is masked (P65). */
  players: z.array(
    named.extend({
      account: accountId,
      address: z.string(),
      league_mode_enabled: z.boolean(),
      games: z.number().int(),
      total: z.number().int(),
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
  joining,
  code: z.string(),
  url: z.string(),
  /** null without a schedule, or after its end. */
  season_ends_on: day.nullable(),
});

/** GET /api/operator/leagues/schedule/preview/ */
export const previewQuery = z.object({
  league: ref,
  weeks: z.coerce
    .number()
    .int()
    .min(1, 'At least 1 week.')
    .max(SEASON_WEEKS_MAX, `At most ${SEASON_WEEKS_MAX} weeks.`),
  from: writtenDay.optional(),
});

export type LeaguePage = z.infer<typeof leaguePage>;
export type TeamPage = z.infer<typeof teamPage>;
export type TeamPoster = z.infer<typeof teamPoster>;
