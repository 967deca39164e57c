import { z } from 'zod';
import { codeText, email } from './accounts.ts';
import { reportReason, verdict } from './games.ts';
import { ROSTER_BYTES, SEASON_WEEKS_MAX } from './league-limits.ts';
import { scheduleWeek, standing } from './leagues.ts';
import { heldReason, machineStateWord } from './machines.ts';
import { PROVIDERS, signInMethod } from './profile.ts';
import { joining } from './teams.ts';
import { hasUnseen } from './unseen.ts';

/* Bodies and answers of the operator's calls, and their limits. */

/** The database has the same limits; these give better messages. */
export const NAME_MAX = 60;
export const TEAM_NAME_MAX = 40;
export const TEAM_ADD_MAX = 500;
export const PLAYERS_LIST_MAX = 1_000;
const REASON_MAX = 100;
/** The most held games, or reports, in a list; its `total` counts all. */
export const HELD_LIST_MAX = 200;
/** The most games in a list. */
export const GAMES_LIST_MAX = 200;
/** A list's `total` of games stops here, so that a list costs the same after a million games. */
export const GAMES_COUNT_MAX = 1_000;

/** Counts code points, as PostgreSQL does. */
export const characters = (text: string) => [...text].length;
/** A trimmed name, or another `noun`, of 1 to `most` characters, none of them invisible. */
export const name = (most: number, noun = 'name') =>
  z
    .string()
    .transform((typed) => typed.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, `A ${noun} is required.`)
        .refine((text) => characters(text) <= most, `A ${noun} has at most ${most} characters.`)
        .refine((text) => !hasUnseen(text), `A ${noun} cannot contain control characters.`),
    );
/** A name or id (OPS-03). */
export const ref = z.string().trim().min(1).max(200);
const A_DAY = 'Write a day of the calendar as YYYY-MM-DD.';
/** PostgreSQL has no year 0. */
export const day = z.iso.date(A_DAY).refine((text) => !text.startsWith('0000'), A_DAY);
const gameId = z.guid('A game is named by its id, such as 0190c3f2-7d1a-7c55-9f00-2f6f5a8c1b11.');

const id = z.string().meta({ example: '1' });

export const accountId = z.string().regex(/^\d{1,15}$/, 'This is not the number of an account.');
/**
 * Names one player, by address or account number. The console, which does not have the addresses,
 * uses the number (P65).
 */
const onePlayer = <T extends z.ZodRawShape>(more: T) =>
  z
    .object({ email: email.optional(), account: accountId.optional(), ...more })
    .refine(
      (body) =>
        ('email' in body && body.email !== undefined) !==
        ('account' in body && body.account !== undefined),
      {
        path: ['email'],
        message: 'Give the address or the number of one account.',
      },
    );

export const machineBody = z.object({
  name: name(NAME_MAX),
  venue: name(NAME_MAX).optional(),
  /** For a venue that this call adds; UTC by default. */
  timezone: z.string().min(1).max(64).optional(),
});
export const machineRef = z.object({ machine: ref });
/** The only answer with the key (P31a). */
export const machineKeyAnswer = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  key: z.string(),
});
/** `old_key_until`: when the previous key expires, or null (OPS-06). */
export const machineRotatedAnswer = machineKeyAnswer.extend({
  old_key_until: z.string().nullable(),
});
/** `key`: a key's id; by default, the key that the last rotation replaced. */
export const machineKeyRef = machineRef.extend({ key: z.string().min(1).max(40).optional() });
/** `stopped`: the id of the stopped key; null if the key had ended before the call (MACH-21). */
export const machineKeyStoppedAnswer = z.object({
  id,
  name: z.string(),
  stopped: z.string().nullable(),
});
export const machineRow = z.object({
  id,
  name: z.string(),
  venue: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  games_today: z.number().int(),
  /** Machine's clock minus server's; null before the first Date header. */
  clock_error_ms: z.number().nullable(),
  revoked: z.boolean(),
  /** Whether the key is older than a year (P31a). */
  key_due: z.boolean(),
  state: machineStateWord,
  repair_by: z.string().nullable(),
  repair_why: z.string().nullable(),
});
export const machinesAnswer = z.object({ results: z.array(machineRow) });

export const leagueBody = z.object({
  name: name(NAME_MAX),
  timezone: z.string().min(1).max(64),
  starts: day.optional(),
  /** `closed` by default (LEAGUE-12). */
  joining: joining.optional(),
});
export const leagueRef = z.object({ league: ref });
/** The time zone can change until a game has counted. */
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
  teams: z.number().int(),
  players: z.number().int(),
  /** From 1; 0 before the league begins. `weeks`: the number of the last scheduled week. */
  week: z.number().int(),
  weeks: z.number().int(),
});
export const leaguesAnswer = z.object({ results: z.array(leagueRow) });
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

export const teamName = name(TEAM_NAME_MAX);
export const teamBody = z.object({ league: ref, name: teamName });
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
     * The id of the team on which the caller last saw the players; null for none. 409 if a player
     * has changed team since.
     */
    from_team: z
      .string()
      .regex(/^\d{1,15}$/, 'This is not the number of a team.')
      .nullable()
      .optional(),
  })
  .refine(
    ({ emails, usernames, accounts }) => emails.length + usernames.length + accounts.length > 0,
    { path: ['emails'], message: 'Name at least one player.' },
  );
export const teamRemoveBody = onePlayer({ team: ref });
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

export const joiningBody = z.object({ league: ref, joining });
export const joiningAnswer = z.object({ league: z.string(), joining });
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
/** `email` is masked for staff. */
export const decidedAnswer = z.object({
  team: z.string(),
  league: z.string(),
  email: z.string(),
  username: z.string().nullable(),
});

/** Games of two machines may have the same id; `machine` tells them apart. */
const oneGame = { game: gameId, machine: ref.optional() };
export const gameRef = z.object(oneGame);
export const gameAnswer = z.object({
  id: z.string(),
  machine: z.string(),
  /** null when the account was deleted. */
  player: z.string().nullable(),
  score: z.number().int(),
  played_at: z.string(),
  state: z.enum(['counted', 'held', 'void', 'discarded']),
});
/** Newest first (OPS-13). */
export const gamesListBody = z.object({
  /** An e-mail address or a username. */
  player: z.string().trim().min(1).max(254).optional(),
  machine: ref.optional(),
  since: z.iso.datetime('Write a time such as 2027-01-04T18:00:00Z.').optional(),
});
/** `total` counts up to GAMES_COUNT_MAX, which means that many or more. */
export const gamesListAnswer = z.object({
  results: z.array(gameAnswer),
  total: z.number().int(),
});
export const heldRow = gameAnswer
  .omit({ state: true })
  .extend({ received_at: z.string(), reason: heldReason });
export const heldAnswer = z.object({ results: z.array(heldRow), total: z.number().int() });

/** An open report with its game (GAME-11). */
export const reportRow = gameAnswer.extend({
  venue: z.string().nullable(),
  reason: reportReason,
  text: z.string().nullable(),
  reported_at: z.string(),
});
export const reportsAnswer = z.object({ results: z.array(reportRow), total: z.number().int() });
export const settleBody = z.object({ ...oneGame, verdict });

/** GET players/, for a simulated arcade: complete profiles, oldest first. */
export const playersQuery = z.object({
  count: z.coerce.number().int().min(1).max(PLAYERS_LIST_MAX).default(PLAYERS_LIST_MAX),
});
export const playersAnswer = z.object({
  results: z.array(z.object({ uuid: z.string(), username: z.string() })),
});
/** If a number names the player, the answer's `email` is masked, except by players/show/. */
export const playerRef = onePlayer({});
export const playerAnswer = z.object({
  email: z.string(),
  username: z.string().nullable(),
  verified: z.boolean(),
  profile_setup_complete: z.boolean(),
  sign_in_methods: z.array(signInMethod),
  created_at: z.string(),
  sessions: z.number().int(),
  team: z.object({ name: z.string(), league: z.string() }).nullable(),
  league_mode_enabled: z.boolean(),
  games_played: z.number().int(),
  highscore: z.number().int(),
  avg_score: z.number(),
  held_games: z.number().int(),
});
/** One player, or all (P8). */
export const signOutBody = z.union([playerRef, z.object({ all: z.literal(true) })]);
/** `email` is null if all players were signed out. */
export const signedOutAnswer = z.object({
  email: z.string().nullable(),
  sessions_ended: z.number().int(),
});
/** Mails a code to the new address (P30b). */
export const changeEmailBody = onePlayer({ new_email: email });
export const changeEmailAnswer = z.object({
  email: z.string(),
  new_email: z.string(),
  valid_until: z.string(),
});
export const confirmEmailBody = onePlayer({ new_email: email, code: codeText });
export const emailChangedAnswer = z.object({
  email: z.string(),
  sessions_ended: z.number().int(),
  providers_unlinked: z.array(z.enum(PROVIDERS)),
});
const ANY_DATE = /\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,4}/;
/** `reason` goes into the audit, so it must not contain a date (P65). Staff must give a reason. */
export const birthdateBody = onePlayer({
  date_of_birth: day,
  reason: name(REASON_MAX, 'reason')
    .refine((text) => !ANY_DATE.test(text), 'Leave the date out: the audit has no birth dates.')
    .optional(),
});
export const birthdateAnswer = z.object({ email: z.string(), date_of_birth: z.string() });
export const deletedAnswer = z.object({ email: z.string(), games_kept: z.number().int() });

export type MachineKey = z.infer<typeof machineKeyAnswer>;
export type MachineKeyStopped = z.infer<typeof machineKeyStoppedAnswer>;
export type MachineRow = z.infer<typeof machineRow>;
export type LeagueRow = z.infer<typeof leagueRow>;
export type LeagueAnswer = z.infer<typeof leagueAnswer>;
export type RosterAnswer = z.infer<typeof rosterAnswer>;
export type JoinRequestRow = z.infer<typeof requestsAnswer>['results'][number];
export type TeamRow = z.infer<typeof teamRow>;
export type GameAnswer = z.infer<typeof gameAnswer>;
export type HeldRow = z.infer<typeof heldRow>;
export type PlayerAnswer = z.infer<typeof playerAnswer>;
