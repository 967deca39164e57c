import { z } from 'zod';
import { PAUSES_MAX, ROSTER_BYTES, SEASON_WEEKS_MAX } from '../rules/leagues.ts';
import { date, day, id, NAME_MAX, name, ref, time } from './fields.ts';

/** All null if the caller may not see the player (ACC-60). */
export const named = z.object({
  username: z.string().nullable(),
  avatar_color: z.string().nullable(),
  jersey_number: z.string().nullable(),
});

export const teammate = z.object({
  username: z.string(),
  weekly_games_played: z.number().int(),
  weekly_avg_score: z.number(),
  weekly_total_score: z.number().int(),
  /** The player has left the team, but has games that count for it this week. */
  former: z.literal(true).optional(),
});
export const opponent = z.object({
  name: z.string(),
  total_games_played: z.number().int(),
  max_possible_games: z.number().int(),
  team_avg: z.number(),
  total_score: z.number().int(),
});

/** The clock decides a season's state; only `final` is stored (SEASON-02). */
export const seasonState = z.enum(['planned', 'running', 'grace', 'final']);
/** A decision of staff on a matchup (SEASON-30). `home` and `away`: that side wins. */
export const ruling = z.enum(['home', 'away', 'both_lose', 'annulled']);
/** Which criterion orders teams with equal wins first (SEASON-11). */
export const tieBreak = z.enum(['total', 'head_to_head']);
/** The rule that places a row of a table after the previous row (SEASON-16). */
export const by = z.enum(['wins', 'total', 'head_to_head', 'best_week']);

/** What the table says about a row besides its figures, in the order of `standings`. */
export const tableNote = z.object({
  team: z.string(),
  by: by.nullable(),
  /** 'joined in week 4', 'withdrew in week 4' */
  note: z.string().nullable(),
  withdrew: z.boolean(),
});
export const seasonChange = z.object({ at: z.string(), text: z.string() });

/** The next season in an answer about a league. */
const nextSeason = z.object({ id, name: z.string(), starts_on: z.string() }).nullable();

export const seasonInView = z.object({
  id,
  number: z.number().int(),
  name: z.string(),
  state: seasonState,
  starts_on: z.string(),
  /** The last day of the last week; null: no end yet. */
  ends_on: z.string().nullable(),
  /** When grace ends; null without an end. */
  settles_at: z.string().nullable(),
  tie_break: tieBreak,
  /** The next season, once it is planned. */
  next: nextSeason,
});

/** The season of GET /api/leaderboards/user-league-stats/. */
export const seasonOfStats = z.object({
  name: z.string(),
  state: seasonState,
  /** The team's place in the table of a season in grace or final; null while it runs. */
  place: z.number().int().nullable(),
  /** Whether the team is a champion of a final season (SEASON-24). */
  champion: z.boolean(),
  teams: z.number().int(),
  /** Whether the team is, or will be, in this season: false once it has withdrawn (SEASON-04). */
  entered: z.boolean(),
  settles_at: z.string().nullable(),
  next_starts_on: z.string().nullable(),
  /** Why the running week is postponed; null if it is not (SEASON-32). */
  postponed: z.string().nullable(),
});

/** Who may join with a code (LEAGUE-12). */
export const joining = z.enum(['closed', 'ask', 'open']);

/** How a player came to the team: with its code, by a request that staff accepted, or by staff. */
export const joinedBy = z.enum(['code', 'accepted', 'staff']);

/** A team's week, with teammates by rank (LEAGUE-06). */
export const weekTable = z.object({
  teammates: z.array(teammate),
  team_total_games_played: z.number().int(),
  team_max_possible_games: z.number().int(),
  team_avg: z.number(),
  team_total_score: z.number().int(),
  /** null for a bye or before the season (LEAGUE-09). */
  opponent: opponent.nullable(),
});

/** GET /api/leaderboards/user-league-stats/ */
export const leagueStats = z.object({
  team_name: z.string(),
  ...weekTable.shape,
  /**
   * `nudge`: `open` if a game of this teammate can still turn the week and nobody has nudged them
   * this week, `sent` if somebody has; otherwise null (NUDGE-05).
   */
  teammates: z.array(teammate.extend({ nudge: z.enum(['open', 'sent']).nullable() })),
  /**
   * Set if the caller was nudged this week, has not played since, and can still turn the week
   * (NUDGE-06). `by` is null if the nudge was automatic or the sender may not be named.
   */
  nudged: z
    .object({
      by: z.string().nullable(),
      left: z.number().int(),
      gap: z.number().int(),
      closes_at: z.string(),
    })
    .nullable(),
  week_opens_at: z.string(),
  week_closes_at: z.string(),
  /**
   * When games next count: the league's first week, the team's first week, or the next season. null
   * in a week that counts, and if that is not known.
   */
  season_starts_at: z.string().nullable(),
  me: z.object({
    league_games_left: z.number().int(),
    /** The caller's fourth best score; null with fewer than four games. */
    fourth_best: z.number().int().nullable(),
  }),
  max_score: z.number().int(),
  /** null if the league has never had a season that began. */
  season: seasonOfStats.nullable(),
  /**
   * The code that teammates share; null while nobody can join with it (HAND-43). `free`: how many
   * places the team has left.
   */
  invite: z
    .object({
      code: z.string(),
      joining: joining.exclude(['closed']),
      free: z.number().int(),
      league: z.string(),
    })
    .nullable(),
  /** Whether the team has no place left. */
  full: z.boolean(),
  /**
   * Since when the caller is on the team, and how they joined; null if that is not known (HAND-47).
   */
  membership: z.object({ since: z.string(), how: joinedBy }).nullable(),
});

export const standing = z.object({
  place: z.number().int(),
  team: z.string(),
  won: z.number().int(),
  drawn: z.number().int(),
  lost: z.number().int(),
  total: z.number().int(),
});
export const matchup = z.object({
  home: z.string(),
  away: z.string(),
  /** Both totals are null before the week begins. */
  home_total: z.number().int().nullable(),
  away_total: z.number().int().nullable(),
  /** Only where staff have decided the matchup, or a side has withdrawn (SEASON-30, SEASON-35). */
  ruling: ruling.optional(),
  /** Only for staff and players of the two teams (P108). */
  reason: z.string().optional(),
  /** Whether staff can remove what decided it. Only for staff; older final seasons lack it. */
  decided_by: z.enum(['ruling', 'withdrawal']).optional(),
});
export const scheduleWeek = z.object({
  week: z.number().int(),
  /** The first and last day, `YYYY-MM-DD` in the league's zone. */
  from: z.string(),
  to: z.string(),
  matchups: z.array(matchup),
  bye: z.string().nullable(),
  /** Why the week is postponed; only where it is (SEASON-32). */
  postponed: z.string().optional(),
});
export const bestGame = z.object({
  place: z.number().int(),
  ...named.shape,
  /** null if the team's name would reveal a hidden player. */
  team: z.string().nullable(),
  week: z.number().int(),
  score: z.number().int(),
});

/** GET /api/leaderboards/user-league-season/ */
export const leagueSeason = z.object({
  league: z.string(),
  /** From 1; 0 before the league begins. */
  week: z.number().int(),
  weeks: z.number().int(),
  standings: z.array(standing),
  schedule: z.array(scheduleWeek),
  /** The best game first (LEAGUE-20). */
  best_games: z.array(bestGame),
  season: seasonInView,
  /** The champions of a final season; empty until its cup is decided (SEASON-24). */
  champions: z.array(z.string()),
  /** What the table says about each row besides its figures, in the order of `standings`. */
  rows: z.array(tableNote),
  /** The newest five changes (SEASON-37). */
  changes: z.array(seasonChange),
});

export const teamPageQuery = z.object({ team: z.string().min(1).max(NAME_MAX) });

/** GET /api/leaderboards/user-league-team/: a team of the caller's league (HAND-64). */
export const teamPage = z.object({
  team: z.string(),
  league: z.string(),
  /** null before a week of the season has ended, and for a team that has withdrawn. */
  place: z.number().int().nullable(),
  won: z.number().int(),
  drawn: z.number().int(),
  lost: z.number().int(),
  /** Teammates whom the caller may not see are 'A player' (ACC-60). */
  week: weekTable,
  week_closes_at: z.string(),
  /** The matchups of finished weeks of the season, the newest first. */
  results: z.array(
    z.object({
      week: z.number().int(),
      opponent: z.string(),
      own: z.number().int(),
      other: z.number().int(),
      /** Given as if this team were at home: `home` means that it won. */
      ruling: ruling.optional(),
      /** Only for players of the two teams (P108). */
      reason: z.string().optional(),
    }),
  ),
});

/** Name, jersey and sum only (P30f). */
export const weekPlayer = z.object({
  ...named.shape,
  weekly_total_score: z.number().int(),
});
export const closedWeek = z.object({
  week: z.number().int(),
  from: z.string(),
  to: z.string(),
  team: z.string(),
  team_total_score: z.number().int(),
  opponent: z.string(),
  opponent_total_score: z.number().int(),
  players: z.array(weekPlayer),
  /** The team's highest counted score of the week, without deleted accounts. */
  best: z.object({ username: z.string().nullable(), score: z.number().int() }).nullable(),
});

/**
 * GET /api/leaderboards/user-league-last-week/, for a picture that players share, so it names only
 * players who may be named in public (ACC-60).
 */
export const lastWeekAnswer = z.object({
  /**
   * null for a bye, a week without games, a week that a ruling or a withdrawal decided, and before
   * the first week closes.
   */
  last: closedWeek.nullable(),
  week_closes_at: z.string(),
});

export const leagueBody = z.object({
  name: name(NAME_MAX),
  timezone: z.string().min(1).max(64),
  starts: day.optional(),
  /** `closed` by default (LEAGUE-12). */
  joining: joining.optional(),
  /**
   * The venue whose staff run the league: by default the caller's only venue, or none (STAFF-02).
   */
  venue: ref.nullable().optional(),
});
export const leagueRef = z.object({ league: ref });

/** The time zone can change until the league has a game. */
export const leagueRenameBody = z.object({
  league: ref,
  name: name(NAME_MAX),
  timezone: z.string().min(1).max(64).optional(),
});

/** `league` is the new name. */
export const leagueRenamedAnswer = z.object({ id, league: z.string(), timezone: z.string() });
export const leagueRow = z.object({
  id,
  name: z.string(),
  timezone: z.string(),
  starts_on: z.string(),
  joining,
  /** The venue whose staff run it, or null. */
  venue: z.string().nullable(),
  teams: z.number().int(),
  players: z.number().int(),
  /** From 1; 0 before the league begins. `weeks`: the number of the last scheduled week. */
  week: z.number().int(),
  weeks: z.number().int(),
});
/** `next`: the season that begins after the one shown; null if none is planned. */
export const leaguesAnswer = z.object({
  results: z.array(
    leagueRow.extend({
      /** The last day of the season's last scheduled week; null if no week is scheduled. */
      last_day: z.string().nullable(),
      /** The champions of the season shown, once it is final (SEASON-24). */
      champions: z.array(z.string()),
      next: nextSeason,
    }),
  ),
});
export const rosterPlayer = z.object({
  email: z.string(),
  username: z.string().nullable(),
  league_mode_enabled: z.boolean(),
});
export const leagueAnswer = leagueRow.omit({ teams: true, players: true }).extend({
  teams: z.array(z.object({ id, name: z.string(), players: z.array(rosterPlayer) })),
});
export const scheduleAnswer = z.object({ league: z.string(), schedule: z.array(scheduleWeek) });
export const standingsAnswer = z.object({ league: z.string(), standings: z.array(standing) });

/** `from`: a day in the first week to fill; by default the first week without matchups (OPS-07). */
export const scheduleBody = z.object({
  league: ref,
  weeks: z
    .number()
    .int()
    .min(1, 'At least 1 week.')
    .max(SEASON_WEEKS_MAX, `At most ${SEASON_WEEKS_MAX} weeks.`),
  from: day.optional(),
  /** Days of weeks without matchups (SEASON-50). */
  leave_out: z.array(day).max(PAUSES_MAX).optional(),
});

/** Removes matchups of weeks that have not begun (OPS-15). */
export const scheduleClearBody = z.object({ league: ref });
export const scheduleClearedAnswer = scheduleAnswer.extend({ weeks_cleared: z.number().int() });

/**
 * `csv`: rows of `team,email`, with an optional header row (OPS-05). Unknown teams are refused
 * unless `new_teams`, because they are probably mistyped.
 */
export const rosterBody = z.object({
  league: ref,
  csv: z.string().max(ROSTER_BYTES),
  new_teams: z.boolean().default(false),
});
export const rosterAnswer = z.object({
  league: z.string(),
  teams_created: z.number().int(),
  players_added: z.number().int(),
  players_moved: z.number().int(),
  unchanged: z.number().int(),
});

/** 400, with all bad rows; nothing was imported. */
export const rosterRefused = z.object({
  detail: z.string(),
  rows: z.array(z.object({ line: z.number().int(), problem: z.string() })),
});

/** 400, with unknown teams; nothing was imported. */
export const rosterNewTeams = z.object({ detail: z.string(), new_teams: z.array(z.string()) });

export const leagueVenueBody = z.object({ league: ref, venue: ref.nullable() });
export const leagueVenueAnswer = z.object({ league: z.string(), venue: z.string().nullable() });
export const joiningBody = z.object({ league: ref, joining });
export const joiningAnswer = z.object({ league: z.string(), joining });

const side = z.object({
  team: z.string(),
  total: z.number().int(),
  games: z.number().int(),
  max: z.number().int(),
});
export const tonightLeague = z.object({
  id,
  name: z.string(),
  week: z.number().int(),
  weeks: z.number().int(),
  closes_at: time,
  /** `away` is null for a bye. `ruling`: only if the totals do not decide (SEASON-30, SEASON-35). */
  matchups: z.array(z.object({ home: side, away: side.nullable(), ruling: ruling.optional() })),
});

/** GET /api/operator/leagues/page/ */
export const leaguePage = leagueRow.omit({ teams: true, players: true }).extend({
  venue_id: id.nullable(),
  /** The season that the page shows: the latest that has begun, otherwise the first. */
  season_id: id,
  next: nextSeason,
  /**
   * The latest final season and its champions; without names until its cup is decided (SEASON-24).
   * `no_champion`: its cup is over without a winner (CUP-13). Null before a season is final.
   */
  won: z
    .object({
      season_id: id,
      season: z.string(),
      champions: z.array(z.string()),
      no_champion: z.boolean(),
    })
    .nullable(),
  /** Teams without a matchup in a running or planned season of matchups; null if there are none. */
  idle: z.object({ season_id: id, season: z.string(), teams: z.array(z.string()) }).nullable(),
  /** Teams that are not, or no longer, in the newest season that is not final; null if none. */
  outside: z.object({ season: z.string(), teams: z.array(z.string()) }).nullable(),
  /**
   * The current week; null without matchups. `held` counts this week's held games that would count
   * for a team of the league if released.
   */
  now: z
    .object({
      from: date,
      to: date,
      closes_at: z.string(),
      matchups: tonightLeague.shape.matchups,
      held: z.number().int(),
    })
    .nullable(),
  /** The number of the last scheduled week that has ended; 0 before. */
  ended: z.number().int(),
  standings: z.array(standing),
  schedule: z.array(scheduleWeek),
  /** The season that takes new weeks: the running one, otherwise the planned one; null if none. */
  planning: z
    .object({
      season_id: id,
      season: z.string(),
      schedule: z.array(scheduleWeek),
      /** How many weeks have not begun. */
      coming: z.number().int(),
      /** The Monday of the first free week, not before this week or the season's start. */
      first_free: date,
    })
    .nullable(),
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

/** GET /api/operator/leagues/schedule/preview/ */
export const previewQuery = z.object({
  league: ref,
  weeks: z.coerce
    .number()
    .int()
    .min(1, 'At least 1 week.')
    .max(SEASON_WEEKS_MAX, `At most ${SEASON_WEEKS_MAX} weeks.`),
  from: day.optional(),
  /** Days of weeks without matchups, separated by commas. */
  leave_out: z
    .string()
    .transform((typed) => typed.split(','))
    .pipe(z.array(day).max(PAUSES_MAX))
    .optional(),
});

export const leagueCalls = {
  'GET /api/leaderboards/user-league-stats/': { answer: leagueStats },
  'GET /api/leaderboards/user-league-season/': { answer: leagueSeason },
  'GET /api/leaderboards/user-league-last-week/': { answer: lastWeekAnswer },
  'GET /api/leaderboards/user-league-team/': { query: teamPageQuery, answer: teamPage },
  'GET /api/operator/leagues/': { answer: leaguesAnswer },
  'POST /api/operator/leagues/': { body: leagueBody, created: leagueRow },
  'GET /api/operator/leagues/show/': { query: leagueRef, answer: leagueAnswer },
  'GET /api/operator/leagues/page/': { query: leagueRef, answer: leaguePage },
  'POST /api/operator/leagues/rename/': { body: leagueRenameBody, answer: leagueRenamedAnswer },
  'POST /api/operator/leagues/venue/': { body: leagueVenueBody, answer: leagueVenueAnswer },
  'POST /api/operator/leagues/joining/': { body: joiningBody, answer: joiningAnswer },
  'POST /api/operator/leagues/import/': { body: rosterBody, answer: rosterAnswer },
  'GET /api/operator/leagues/standings/': { query: leagueRef, answer: standingsAnswer },
  'GET /api/operator/leagues/schedule/': { query: leagueRef, answer: scheduleAnswer },
  'POST /api/operator/leagues/schedule/': { body: scheduleBody, answer: scheduleAnswer },
  'GET /api/operator/leagues/schedule/preview/': { query: previewQuery, answer: scheduleAnswer },
  'POST /api/operator/leagues/schedule/clear/': {
    body: scheduleClearBody,
    answer: scheduleClearedAnswer,
  },
};

export type Named = z.infer<typeof named>;
export type Standing = z.infer<typeof standing>;
export type Matchup = z.infer<typeof matchup>;
export type ScheduleWeek = z.infer<typeof scheduleWeek>;
export type LeagueStats = z.infer<typeof leagueStats>;
export type Teammate = z.infer<typeof teammate>;
export type WeekTable = z.infer<typeof weekTable>;
export type TeamPage = z.infer<typeof teamPage>;
export type Opponent = z.infer<typeof opponent>;
export type ClosedWeek = z.infer<typeof closedWeek>;
export type BestGame = z.infer<typeof bestGame>;
export type LastWeekAnswer = z.infer<typeof lastWeekAnswer>;
export type LeagueSeason = z.infer<typeof leagueSeason>;
export type Joining = z.infer<typeof joining>;
export type JoinedBy = z.infer<typeof joinedBy>;

export type LeagueRow = z.infer<typeof leagueRow>;
export type LeaguesAnswer = z.infer<typeof leaguesAnswer>;
export type LeagueAnswer = z.infer<typeof leagueAnswer>;
export type RosterAnswer = z.infer<typeof rosterAnswer>;
export type TonightLeague = z.infer<typeof tonightLeague>;

export type LeaguePage = z.infer<typeof leaguePage>;
export type SeasonState = z.infer<typeof seasonState>;
export type Ruling = z.infer<typeof ruling>;
export type TableNote = z.infer<typeof tableNote>;
export type SeasonInView = z.infer<typeof seasonInView>;
export type SeasonOfStats = z.infer<typeof seasonOfStats>;
